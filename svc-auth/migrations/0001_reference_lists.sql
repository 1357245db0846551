-- The codes that a profile may name. ISO gives them out, so they are seeded by
-- migrations and never written by the service.

-- ISO 3166-1.
CREATE TABLE country (
    alpha2 text PRIMARY KEY CONSTRAINT country_alpha2_form CHECK (alpha2 ~ '^[A-Z]{2}$'),
    alpha3 text NOT NULL
        CONSTRAINT country_alpha3_key UNIQUE
        CONSTRAINT country_alpha3_form CHECK (alpha3 ~ '^[A-Z]{3}$'),
    name   text NOT NULL,
    -- The United Nations' continental region (M49).
    region text NOT NULL
        CONSTRAINT country_region_known
        CHECK (region IN ('Africa', 'Americas', 'Antarctica', 'Asia', 'Europe', 'Oceania'))
);

-- ISO 4217.
CREATE TABLE currency (
    code       text PRIMARY KEY CONSTRAINT currency_code_form CHECK (code ~ '^[A-Z]{3}$'),
    name       text NOT NULL,
    -- Whose the code is: its first two letters. Null where no single country
    -- stands behind the currency (EUR, XAF, XAU).
    country_id text CONSTRAINT currency_country REFERENCES country (alpha2)
);

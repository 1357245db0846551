-- What operators publish besides rooms, and who changed what.

CREATE TABLE contact_setting (
    name  text NOT NULL,
    value text NOT NULL,
    CONSTRAINT contact_setting_pkey PRIMARY KEY (name),
    CONSTRAINT contact_setting_name
        CHECK (name IN ('Email', 'Phone', 'Instagram', 'Twitter', 'Whatsapp'))
);
COMMENT ON TABLE contact_setting IS 'Rows stay until an operator removes them.';

-- The content is the manifest after the change; null after a removal.
CREATE TABLE content_change (
    id         uuid        NOT NULL,
    operator   text        NOT NULL,
    kind       text        NOT NULL,
    key        text        NOT NULL,
    change     text        NOT NULL,
    content    jsonb,
    changed_at timestamptz NOT NULL,
    CONSTRAINT content_change_pkey PRIMARY KEY (id),
    CONSTRAINT content_change_kind CHECK (kind IN ('ChatRoom', 'ContactSetting')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of what operators published. Some hundred a year.';

-- This table is the cursor of the job that removes here the best runs and the recent games of
-- players whose accounts svc-auth erased. The job reads svc-auth's list page by page.
CREATE TABLE erasure_progress (
    -- This key allows one row only.
    id      boolean     NOT NULL DEFAULT true,
    -- last_id and last_at name the last player of svc-auth's list whose rows are removed here.
    last_id uuid        NOT NULL,
    last_at timestamptz NOT NULL,
    CONSTRAINT erasure_progress_pkey PRIMARY KEY (id),
    CONSTRAINT erasure_progress_one CHECK (id)
);
COMMENT ON TABLE erasure_progress IS 'Rows stay for good: there is one.';

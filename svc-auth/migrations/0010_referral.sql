-- Who came by whose word. A friend's code is entered once, for good: the row stays
-- when either of the two has their personal data erased, because it holds none.
CREATE TABLE referral (
    invitee_id uuid PRIMARY KEY CONSTRAINT referral_invitee REFERENCES player (id),
    inviter_id uuid NOT NULL CONSTRAINT referral_inviter REFERENCES player (id),
    created_at timestamptz NOT NULL,
    CONSTRAINT referral_not_own CHECK (inviter_id <> invitee_id)
);
CREATE INDEX referral_inviter_id ON referral (inviter_id);

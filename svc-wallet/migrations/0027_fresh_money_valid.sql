ALTER TABLE b2c_payout VALIDATE CONSTRAINT b2c_payout_review;

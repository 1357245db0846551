-- When the holder of an address proved that it is theirs; null while nobody did.
--
-- "The same verified email joins the existing account" takes proof on both sides. A
-- sign-up by email proves nothing: whoever types somebody else's address in has an
-- account under it, and a password to it. If a social sign-in joined that one, its
-- true owner would share an account with the stranger who was there first. So only
-- an identity with a date here may be joined.
ALTER TABLE email_identity ADD COLUMN verified_at timestamptz;

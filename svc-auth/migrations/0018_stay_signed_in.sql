-- Whether the player stays signed in on this phone after the browser was closed.
ALTER TABLE session ADD COLUMN stay_signed_in boolean NOT NULL DEFAULT false;

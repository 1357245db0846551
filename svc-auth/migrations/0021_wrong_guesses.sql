-- Guesses at the codes of all phones: strangers' codes are long while there are many wrong ones.

ALTER TABLE phone_challenge ADD COLUMN long boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN phone_challenge.long IS 'Nine digits, not six.';

-- Negative in an hour whose right guesses took back wrong ones of the hour before.
ALTER TABLE sms_spent ADD COLUMN wrong integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN sms_spent.wrong IS 'Wrong guesses of strangers, without those that the right one followed.';

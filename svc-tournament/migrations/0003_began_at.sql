-- When the run of a standing began. The tier of an award is that of the package that the player held
-- then. Null where a replica of before recorded the score; then reached_at stands for it.
ALTER TABLE standing ADD COLUMN began_at timestamptz;

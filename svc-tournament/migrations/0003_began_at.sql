-- When the run of a standing began. The tier of an award is that of the package that the player held
-- then. Null where a replica of an earlier version recorded a player's first score; then reached_at
-- counts. Where it recorded a better one, the start of the run before stays.
ALTER TABLE standing ADD COLUMN began_at timestamptz;

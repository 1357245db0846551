-- The media store asks by address which pictures nobody has.
CREATE INDEX player_profile_pic ON player (profile_pic) WHERE profile_pic IS NOT NULL;

-- Which prizes a tournament in the game may have. Games that were applied before have no money to
-- win until operators apply them with another class.
ALTER TABLE game
    ADD COLUMN prize_class text NOT NULL DEFAULT 'SOLVABLE',
    ADD CONSTRAINT game_prize_class CHECK (prize_class IN ('SOLVABLE', 'OPEN', 'REFLEX'));

-- These texts are in Swahili, beside the English ones in the columns of the same names. English
-- stands for one that is empty.
ALTER TABLE game ADD COLUMN description_sw text NOT NULL DEFAULT '';
ALTER TABLE event
    ADD COLUMN title_sw       text NOT NULL DEFAULT '',
    ADD COLUMN description_sw text NOT NULL DEFAULT '';
ALTER TABLE tv_item ADD COLUMN title_sw text NOT NULL DEFAULT '';

-- These texts are in Swahili, beside the English ones in the columns of the same names. English
-- stands for one that is empty.
ALTER TABLE tournament
    ADD COLUMN description_sw      text NOT NULL DEFAULT '',
    ADD COLUMN fame_title_sw       text NOT NULL DEFAULT '',
    ADD COLUMN fame_description_sw text NOT NULL DEFAULT '',
    ADD COLUMN first_award_sw      text NOT NULL DEFAULT '';
ALTER TABLE award ADD COLUMN name_sw text NOT NULL DEFAULT '';
ALTER TABLE fame
    ADD COLUMN title_sw       text NOT NULL DEFAULT '',
    ADD COLUMN description_sw text NOT NULL DEFAULT '';

-- For the media sweep: which messages have a file. Texts have no entry.
CREATE INDEX message_media ON message (content) WHERE chat_type <> 'TEXT' AND removal IS NULL;

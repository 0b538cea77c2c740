-- phase: expand
-- oldest-release: 1.0
-- locks: orders access exclusive

-- Why a member declined the request, and the sentence to the visitor: {"reason": …, "text": …}. Null: it is not declined, or
-- no reason was given. Without a text once the data of the visitor is erased.
alter table orders
  add column decline jsonb check (
    jsonb_typeof(decline) = 'object' and decline ? 'reason' and char_length(decline ->> 'text') <= 300
  );

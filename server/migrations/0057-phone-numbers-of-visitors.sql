-- phase: expand
-- oldest-release: 1.0
-- locks: orders access exclusive
-- locks: request_confirmations access exclusive

-- A visitor may leave a phone number besides the email address that the request is confirmed with; empty without one.
alter table orders add column visitor_phone text not null default '' check (char_length(visitor_phone) <= 30);
alter table request_confirmations
  add column visitor_phone text not null default '' check (char_length(visitor_phone) <= 30);

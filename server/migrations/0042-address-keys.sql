-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- The key of an address has its domain in A-labels and without a trailing dot, so that every spelling of an address is
-- one account. Of accounts that are the same by the new key, the verified one keeps the address, then the older one;
-- the other, and one whose address contains characters that can no longer be entered, asks for another address, as
-- after a person has proved an address that was not theirs. Each is listed by a warning and in its own history.
--
-- Suppressions and invitations are found by digests of keys, which cannot be computed again: for an internationalised
-- domain, a suppression returns with the next bounce, and an invitation can still be accepted.

create function pg_temp.a_label(label text) returns text language plpgsql as $$
declare
  -- RFC 3492.
  output text := '';
  n int := 128;
  delta int := 0;
  bias int := 72;
  basic int;
  handled int;
  lowest int;
  q int;
  k int;
  t int;
  letter text;
  codes int[];
  code int;
begin
  if label ~ '^[\u0001-\u007f]*$' then
    return label;
  end if;
  foreach letter in array string_to_array(label, null) loop
    codes := codes || ascii(letter);
    if ascii(letter) < 128 then
      output := output || letter;
    end if;
  end loop;
  basic := length(output);
  handled := basic;
  if basic > 0 then
    output := output || '-';
  end if;
  while handled < array_length(codes, 1) loop
    select min(one) into lowest from unnest(codes) as one where one >= n;
    delta := delta + (lowest - n) * (handled + 1);
    n := lowest;
    foreach code in array codes loop
      if code < n then
        delta := delta + 1;
      elsif code = n then
        q := delta;
        k := 36;
        loop
          t := case when k <= bias then 1 when k >= bias + 26 then 26 else k - bias end;
          exit when q < t;
          output := output || substr('abcdefghijklmnopqrstuvwxyz0123456789', t + (q - t) % (36 - t) + 1, 1);
          q := (q - t) / (36 - t);
          k := k + 36;
        end loop;
        output := output || substr('abcdefghijklmnopqrstuvwxyz0123456789', q + 1, 1);
        delta := case when handled = basic then delta / 700 else delta / 2 end;
        delta := delta + delta / (handled + 1);
        k := 0;
        while delta > 455 loop
          delta := delta / 35;
          k := k + 36;
        end loop;
        bias := k + 36 * delta / (delta + 38);
        delta := 0;
        handled := handled + 1;
      end if;
    end loop;
    delta := delta + 1;
    n := n + 1;
  end loop;
  return 'xn--' || output;
end
$$;

do $$
declare
  losing record;
begin
  create temporary table new_keys on commit drop as
  select id, verified_at, created_at,
    -- Characters that are rejected: control, format, separators, and those that are not shown.
    email_key ~ '[\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]' as is_rejected,
    substring(email_key from '^(.*)@') || '@' || (
      select string_agg(pg_temp.a_label(label), '.' order by place)
      from string_to_table(rtrim(translate(substring(email_key from '[^@]*$'), '。', '.'), '.'), '.')
        with ordinality as labels (label, place)
    ) as email_key
  from accounts;

  for losing in
    select id, is_rejected
    from (
      select id, is_rejected,
        row_number() over (
          partition by email_key
          order by is_rejected, verified_at is null, created_at, id
        ) as place
      from new_keys
    ) as ranked
    where is_rejected or place > 1
    order by id
  loop
    raise warning 'Account % has lost its address: %', losing.id,
      case when losing.is_rejected then 'it contains characters that are not accepted.'
        else 'another account has the same address, spelt differently.' end;
    update accounts set email = id || '@moved.invalid', email_key = id || '@moved.invalid' where id = losing.id;
    delete from new_keys where id = losing.id;
    insert into account_audit (account_id, action, actor, subject) values (losing.id, 'email_moved', 'operator', '{}');
  end loop;

  update accounts
  set email_key = new_keys.email_key
  from new_keys
  where accounts.id = new_keys.id and accounts.email_key <> new_keys.email_key;
end
$$;

-- The JSON Schemas that settings must match before they are published.

create table private.settings_schemas (
  section text primary key,
  schema jsonb not null
);
comment on table private.settings_schemas is
  'A JSON Schema per section, generated from app/config/site-schema.ts.';
alter table private.settings_schemas enable row level security;

create function private.schema_problem(value jsonb, schema jsonb, path text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
declare
  expected text := schema ->> 'type';
  actual text := jsonb_typeof(value);
  content text := value #>> '{}';
  problem text;
  item record;
  first text := schema -> 'ordered' ->> 0;
  last text := schema -> 'ordered' ->> 1;
begin
  if schema ? 'anyOf' then
    -- A value or null.
    if actual = 'null' then
      return null;
    end if;
    return private.schema_problem(value, schema -> 'anyOf' -> 0, path);
  end if;
  if actual is distinct from (case expected when 'integer' then 'number' else expected end) then
    return format('%s must be of type %s', path, expected);
  end if;
  case expected
    when 'string' then
      -- Like JavaScript, which counts a character beyond U+FFFF twice.
      if char_length(regexp_replace(content, '[\U00010000-\U0010ffff]', 'xx', 'g'))
        > (schema ->> 'maxLength')::integer
      then
        return format('%s must have at most %s characters', path, schema ->> 'maxLength');
      end if;
      -- In JavaScript, \s has these characters and \d only these digits. Here, that depends on the locale.
      if content !~ replace(
        replace(
          coalesce(schema ->> 'pattern', ''),
          '\s', '\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
        ),
        '\d', '[0-9]'
      ) then
        return format('%s has characters or a form that is not allowed', path);
      end if;
      if schema ? 'enum' and not (schema -> 'enum') @> value then
        return format('%s is none of the choices', path);
      end if;
    when 'integer', 'number' then
      if (expected = 'integer' and value::numeric % 1 <> 0)
        or value::numeric not between (schema ->> 'minimum')::numeric and (schema ->> 'maximum')::numeric
      then
        return format(
          '%s must be %s from %s to %s', path,
          case expected when 'integer' then 'a whole number' else 'a number' end,
          schema ->> 'minimum', schema ->> 'maximum'
        );
      end if;
    when 'array' then
      if jsonb_array_length(value) > (schema ->> 'maxItems')::integer then
        return format('%s must have at most %s entries', path, schema ->> 'maxItems');
      end if;
      for item in
        select element, place from jsonb_array_elements(value) with ordinality as list (element, place)
      loop
        problem := private.schema_problem(
          item.element, schema -> 'items', format('%s[%s]', path, item.place - 1)
        );
        if problem is not null then
          return problem;
        end if;
      end loop;
    when 'object' then
      for item in select name from jsonb_array_elements_text(schema -> 'required') as names (name) loop
        if not value ? item.name then
          return format('%s.%s is missing', path, item.name);
        end if;
      end loop;
      for item in select name, field from jsonb_each(value) as fields (name, field) loop
        if not (schema -> 'properties') ? item.name then
          return format('%s.%s is not a setting', path, item.name);
        end if;
        problem := private.schema_problem(
          item.field, schema -> 'properties' -> item.name, format('%s.%s', path, item.name)
        );
        if problem is not null then
          return problem;
        end if;
      end loop;
      if nullif(coalesce(value -> last, schema #> array['properties', last, 'default']), '""')
        < coalesce(value -> first, schema #> array['properties', first, 'default'])
      then
        return format('%s.%s must not come before %s', path, last, first);
      end if;
    else
      null;
  end case;
  return null;
end;
$$;
comment on function private.schema_problem(jsonb, jsonb, text) is
  'What is wrong with a value, or null. Knows the part of JSON Schema that the settings use.';

-- `npm run types` writes this statement.
insert into private.settings_schemas (section, schema) values
  ('firm', $json${"type":"object","required":["name"],"additionalProperties":false,"properties":{
    "name": {"type":"string","maxLength":60,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "shortName": {"default":"","type":"string","maxLength":24,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "tagline": {"default":"","type":"string","maxLength":160,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}
  }}$json$),
  ('look', $json${"type":"object","additionalProperties":false,"properties":{
    "mainColor": {"default":null,"anyOf":[{"type":"string","pattern":"^#[0-9a-f]{6}$"},{"type":"null"}]},
    "accentColor": {"default":null,"anyOf":[{"type":"string","pattern":"^#[0-9a-f]{6}$"},{"type":"null"}]},
    "background": {"default":"warm","type":"string","enum":["warm","cool","white"]},
    "darkVersion": {"default":"off","type":"string","enum":["off","device"]},
    "logo": {"default":null,"anyOf":[{"type":"object","properties":{"src":{"type":"string","maxLength":2000,"pattern":"^(images\\/public(\\/(?!\\.|%2[Ee])([A-Za-z0-9_;,:@&=+$.!~*'()-]|%(?!2[Ff]|5[Cc]|[01]|7[Ff])[0-9A-Fa-f]{2})+)+|\\/images\\/(?![0-9]+(x[0-9]+)?\\/)((?!uploads\\/)[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*([?][A-Za-z0-9_.=&~-]*)?)$"},"alt":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"width":{"type":"integer","minimum":1,"maximum":20000},"height":{"type":"integer","minimum":1,"maximum":20000}},"required":["src","width","height"],"additionalProperties":false},{"type":"null"}]},
    "logoDark": {"default":null,"anyOf":[{"type":"object","properties":{"src":{"type":"string","maxLength":2000,"pattern":"^(images\\/public(\\/(?!\\.|%2[Ee])([A-Za-z0-9_;,:@&=+$.!~*'()-]|%(?!2[Ff]|5[Cc]|[01]|7[Ff])[0-9A-Fa-f]{2})+)+|\\/images\\/(?![0-9]+(x[0-9]+)?\\/)((?!uploads\\/)[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*([?][A-Za-z0-9_.=&~-]*)?)$"},"alt":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"width":{"type":"integer","minimum":1,"maximum":20000},"height":{"type":"integer","minimum":1,"maximum":20000}},"required":["src","width","height"],"additionalProperties":false},{"type":"null"}]},
    "icon": {"default":null,"anyOf":[{"type":"object","properties":{"src":{"type":"string","maxLength":2000,"pattern":"^(images\\/public(\\/(?!\\.|%2[Ee])([A-Za-z0-9_;,:@&=+$.!~*'()-]|%(?!2[Ff]|5[Cc]|[01]|7[Ff])[0-9A-Fa-f]{2})+)+|\\/images\\/(?![0-9]+(x[0-9]+)?\\/)((?!uploads\\/)[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*([?][A-Za-z0-9_.=&~-]*)?)$"},"alt":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"width":{"type":"integer","minimum":1,"maximum":20000},"height":{"type":"integer","minimum":1,"maximum":20000}},"required":["src","width","height"],"additionalProperties":false},{"type":"null"}]},
    "shareImage": {"default":null,"anyOf":[{"type":"object","properties":{"src":{"type":"string","maxLength":2000,"pattern":"^(images\\/public(\\/(?!\\.|%2[Ee])([A-Za-z0-9_;,:@&=+$.!~*'()-]|%(?!2[Ff]|5[Cc]|[01]|7[Ff])[0-9A-Fa-f]{2})+)+|\\/images\\/(?![0-9]+(x[0-9]+)?\\/)((?!uploads\\/)[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*([?][A-Za-z0-9_.=&~-]*)?)$"},"alt":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"width":{"type":"integer","minimum":1,"maximum":20000},"height":{"type":"integer","minimum":1,"maximum":20000}},"required":["src","width","height"],"additionalProperties":false},{"type":"null"}]}
  }}$json$),
  ('adviser', $json${"type":"object","required":["name"],"additionalProperties":false,"properties":{
    "name": {"type":"string","maxLength":80,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "firstName": {"default":"","type":"string","maxLength":40,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "credentials": {"default":"","type":"string","maxLength":80,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "title": {"default":"","type":"string","maxLength":160,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "portrait": {"default":null,"anyOf":[{"type":"object","properties":{"src":{"type":"string","maxLength":2000,"pattern":"^(images\\/public(\\/(?!\\.|%2[Ee])([A-Za-z0-9_;,:@&=+$.!~*'()-]|%(?!2[Ff]|5[Cc]|[01]|7[Ff])[0-9A-Fa-f]{2})+)+|\\/images\\/(?![0-9]+(x[0-9]+)?\\/)((?!uploads\\/)[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*([?][A-Za-z0-9_.=&~-]*)?)$"},"alt":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"width":{"type":"integer","minimum":1,"maximum":20000},"height":{"type":"integer","minimum":1,"maximum":20000}},"required":["src","width","height"],"additionalProperties":false},{"type":"null"}]},
    "lead": {"default":"","type":"string","maxLength":1000},
    "paragraphs": {"default":[],"maxItems":8,"type":"array","items":{"default":"","type":"string","maxLength":2000}},
    "bullets": {"default":[],"maxItems":6,"type":"array","items":{"type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"}},
    "starter": {"default":false,"type":"boolean"}
  }}$json$),
  ('contact', $json${"type":"object","additionalProperties":false,"properties":{
    "phone": {"default":"","type":"string","maxLength":60,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "email": {"default":"","type":"string","maxLength":254,"pattern":"^([^\\s@<>\",;]+@[^\\s@<>\",;]+\\.[^\\s@<>\",;]+)?$"},
    "answerTime": {"default":"","type":"string","maxLength":200,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "street": {"default":"","type":"string","maxLength":160,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "showStreet": {"default":true,"type":"boolean"},
    "city": {"default":"","type":"string","maxLength":80,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "region": {"default":"","type":"string","maxLength":40,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "postalCode": {"default":"","type":"string","maxLength":20,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "country": {"default":"US","type":"string","pattern":"^[A-Z]{2}$"},
    "schedulingUrl": {"default":"","type":"string","maxLength":500,"pattern":"^(https?:\\/\\/[^\\s/]+[^\\s]*)?$"},
    "socials": {"default":[],"maxItems":8,"type":"array","items":{"type":"object","properties":{"url":{"type":"string","maxLength":500,"pattern":"^https?:\\/\\/[^\\s/]+[^\\s]*$"},"name":{"type":"string","maxLength":40,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"}},"required":["url","name"],"additionalProperties":false}},
    "timeZone": {"default":"America/New_York","type":"string","maxLength":60,"pattern":"^[A-Za-z0-9_+/-]+$"}
  }}$json$),
  ('mail', $json${"type":"object","additionalProperties":false,"private":true,"properties":{
    "recipients": {"default":[],"maxItems":10,"type":"array","items":{"type":"string","maxLength":254,"pattern":"^[^\\s@<>\",;]+@[^\\s@<>\",;]+\\.[^\\s@<>\",;]+$"}},
    "sender": {"default":"","type":"string","maxLength":254,"pattern":"^([^\\s@<>\",;]+@[^\\s@<>\",;]+\\.[^\\s@<>\",;]+)?$"},
    "notifyTestimonials": {"default":false,"type":"boolean"},
    "answerReviewers": {"default":false,"type":"boolean"},
    "notifyApprovals": {"default":true,"type":"boolean"},
    "notifySchedule": {"default":true,"type":"boolean"},
    "notifyWarnings": {"default":true,"type":"boolean"}
  }}$json$),
  ('licenses', $json${"type":"object","additionalProperties":false,"properties":{
    "licenses": {"default":[],"maxItems":60,"type":"array","items":{"type":"object","properties":{"state":{"type":"string","maxLength":40,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},"type":{"type":"string","maxLength":80,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},"number":{"default":"","type":"string","maxLength":40,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"expires":{"default":"","type":"string","pattern":"^(\\d{4}-\\d{2}-\\d{2})?$"},"link":{"default":"","type":"string","maxLength":500,"pattern":"^(https?:\\/\\/[^\\s/]+[^\\s]*)?$"}},"required":["state","type"],"additionalProperties":false}},
    "npn": {"default":"","type":"string","pattern":"^\\d{0,12}$"},
    "crd": {"default":"","type":"string","pattern":"^\\d{0,12}$"},
    "isAdviser": {"default":false,"type":"boolean"},
    "filedName": {"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "domicile": {"default":"","type":"string","maxLength":40,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "statesServed": {"default":[],"maxItems":60,"type":"array","items":{"type":"string","maxLength":40,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"}},
    "affiliation": {"default":"","type":"string","maxLength":1000},
    "notOffered": {"default":"Nothing here is an offer or advice in a state where I am not licensed.","type":"string","maxLength":500}
  }}$json$),
  ('disclosures', $json${"type":"object","additionalProperties":false,"properties":{
    "footer": {"default":[],"maxItems":8,"type":"array","items":{"default":"","type":"string","maxLength":2000}},
    "testimonials": {"default":"","type":"string","maxLength":2000},
    "lifeInsuranceCalculator": {"default":"","type":"string","maxLength":2000},
    "retirementCalculator": {"default":"","type":"string","maxLength":2000},
    "posts": {"default":[],"maxItems":30,"type":"array","items":{"type":"object","properties":{"category":{"default":"","type":"string","maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"text":{"default":"","type":"string","maxLength":2000}},"additionalProperties":false}},
    "consent": {"default":"","type":"string","maxLength":2000},
    "callConsent": {"default":"I agree that this firm may call and text me at this number about my request. Agreeing is not a condition of sending this message or of buying anything. I can withdraw this at any time.","type":"string","maxLength":1000},
    "mails": {"default":"","private":true,"type":"string","maxLength":2000}
  }}$json$),
  ('pages', $json${"type":"object","additionalProperties":false,"properties":{
    "menuOrder": {"default":[],"maxItems":6,"type":"array","items":{"type":"string","enum":["home","services","testimonials","blog","calculators","contact"]}},
    "menuNames": {"default":{"home":"","services":"","testimonials":"","blog":"","calculators":"","contact":""},"type":"object","properties":{"home":{"default":"","type":"string","maxLength":24,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"services":{"default":"","type":"string","maxLength":24,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"testimonials":{"default":"","type":"string","maxLength":24,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"blog":{"default":"","type":"string","maxLength":24,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"calculators":{"default":"","type":"string","maxLength":24,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"contact":{"default":"","type":"string","maxLength":24,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}},"additionalProperties":false},
    "hidden": {"default":[],"maxItems":4,"type":"array","items":{"type":"string","enum":["lifeInsuranceCalculator","retirementCalculator","testimonials","blog"]}},
    "home": {"default":{"title":"","description":""},"type":"object","properties":{"title":{"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"description":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}},"additionalProperties":false},
    "services": {"default":{"title":"","description":""},"type":"object","properties":{"title":{"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"description":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}},"additionalProperties":false},
    "serviceEnding": {"default":"","type":"string","maxLength":80,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "testimonials": {"default":{"title":"","description":""},"type":"object","properties":{"title":{"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"description":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}},"additionalProperties":false},
    "blog": {"default":{"title":"","description":""},"type":"object","properties":{"title":{"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"description":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}},"additionalProperties":false},
    "calculators": {"default":{"title":"","description":""},"type":"object","properties":{"title":{"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"description":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}},"additionalProperties":false},
    "calculatorsButton": {"default":"Schedule a Consultation","type":"string","maxLength":60,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "contact": {"default":{"title":"","description":""},"type":"object","properties":{"title":{"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"description":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}},"additionalProperties":false}
  }}$json$),
  ('home', $json${"type":"object","additionalProperties":false,"properties":{
    "headline": {"default":"Welcome","type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "introduction": {"default":"","type":"string","maxLength":1000},
    "button": {"default":"Schedule a Consultation","type":"string","maxLength":60,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "hero": {"default":null,"anyOf":[{"type":"object","properties":{"src":{"type":"string","maxLength":2000,"pattern":"^(images\\/public(\\/(?!\\.|%2[Ee])([A-Za-z0-9_;,:@&=+$.!~*'()-]|%(?!2[Ff]|5[Cc]|[01]|7[Ff])[0-9A-Fa-f]{2})+)+|\\/images\\/(?![0-9]+(x[0-9]+)?\\/)((?!uploads\\/)[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*([?][A-Za-z0-9_.=&~-]*)?)$"},"alt":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"width":{"type":"integer","minimum":1,"maximum":20000},"height":{"type":"integer","minimum":1,"maximum":20000}},"required":["src","width","height"],"additionalProperties":false},{"type":"null"}]},
    "assurances": {"default":[],"maxItems":4,"type":"array","items":{"type":"object","properties":{"title":{"type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},"text":{"default":"","type":"string","maxLength":1000}},"required":["title"],"additionalProperties":false}},
    "approachHeading": {"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "approachSteps": {"default":[],"maxItems":5,"type":"array","items":{"type":"object","properties":{"title":{"type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},"text":{"default":"","type":"string","maxLength":1000}},"required":["title"],"additionalProperties":false}},
    "servicesHeading": {"default":"My Services","type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "servicesLead": {"default":"","type":"string","maxLength":400},
    "testimonialsHeading": {"default":"What clients say","type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "blogHeading": {"default":"From the blog","type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "contactHeading": {"default":"Get in touch","type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "contactLead": {"default":"","type":"string","maxLength":400},
    "hidden": {"default":["example"],"maxItems":7,"type":"array","items":{"type":"string","enum":["about","services","approach","testimonials","blog","contact","example"]}},
    "order": {"default":[],"maxItems":6,"type":"array","items":{"type":"string","enum":["about","services","approach","testimonials","blog","contact"]}},
    "starter": {"default":false,"type":"boolean"}
  }}$json$),
  ('services', $json${"type":"object","additionalProperties":false,"properties":{
    "items": {"default":[],"maxItems":24,"type":"array","items":{"type":"object","properties":{"title":{"type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},"slug":{"type":"string","maxLength":80,"pattern":"^[a-z0-9]+(-[a-z0-9]+)*$"},"cardTitle":{"default":"","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"description":{"default":"","type":"string","maxLength":400,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"tagline":{"default":"","type":"string","maxLength":300,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"icon":{"default":"shield","type":"string","enum":["shield","infinity","sunrise","umbrella","leaf","vault","scroll-text","heart-pulse","house","users","baby","graduation-cap","briefcase","building","piggy-bank","wallet","landmark","coins","chart-line","percent","calculator","calendar-check","clipboard-list","file-text","hand-heart","handshake","life-buoy","scale","key-round","compass","anchor","plane","car","stethoscope"]},"hidden":{"default":false,"type":"boolean"},"starter":{"default":false,"type":"boolean"},"fullDescription":{"default":"","type":"string","maxLength":10000},"summary":{"default":[],"maxItems":6,"type":"array","items":{"type":"string","maxLength":500,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"}},"fit":{"default":{"content":"","yes":[],"no":[]},"type":"object","properties":{"content":{"default":"","type":"string","maxLength":2000},"yes":{"default":[],"maxItems":10,"type":"array","items":{"type":"string","maxLength":500,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"}},"no":{"default":[],"maxItems":10,"type":"array","items":{"type":"string","maxLength":500,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"}}},"additionalProperties":false},"sections":{"default":[],"maxItems":20,"type":"array","items":{"type":"object","properties":{"title":{"type":"string","maxLength":200,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},"content":{"default":"","type":"string","maxLength":5000},"points":{"default":[],"maxItems":30,"type":"array","items":{"type":"string","maxLength":1000,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"}}},"required":["title"],"additionalProperties":false}},"questions":{"default":[],"maxItems":20,"type":"array","items":{"type":"object","properties":{"question":{"type":"string","maxLength":300,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},"answer":{"default":"","type":"string","maxLength":2000}},"required":["question"],"additionalProperties":false}},"disclosure":{"default":"","type":"string","maxLength":2000}},"required":["title","slug"],"additionalProperties":false}},
    "lead": {"default":"","type":"string","maxLength":400},
    "panelTitle": {"default":"Questions about these services?","type":"string","maxLength":120,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "panelText": {"default":"","type":"string","maxLength":400},
    "redirects": {"default":[],"maxItems":100,"type":"array","items":{"type":"object","properties":{"from":{"type":"string","maxLength":80,"pattern":"^[a-z0-9]+(-[a-z0-9]+)*$"},"to":{"default":"","type":"string","maxLength":80,"pattern":"^[a-z0-9-]*$"}},"required":["from"],"additionalProperties":false}}
  }}$json$),
  ('calculators', $json${"type":"object","additionalProperties":false,"properties":{
    "incomeYears": {"default":30,"type":"integer","minimum":1,"maximum":60},
    "fixedAmount": {"default":20000,"type":"integer","minimum":0,"maximum":1000000},
    "coverageAssumptions": {"default":"It leaves out what is already there: savings, coverage through work, survivor benefits. Your real need is often smaller, and now and then larger.","type":"string","maxLength":2000},
    "annualIncome": {"default":{"min":20000,"max":5000000,"initial":75000},"type":"object","properties":{"min":{"default":20000,"type":"number","minimum":0,"maximum":100000000},"max":{"default":5000000,"type":"number","minimum":0,"maximum":100000000},"initial":{"default":75000,"type":"number","minimum":0,"maximum":100000000}},"additionalProperties":false,"ordered":["min","max"]},
    "totalDebt": {"default":{"min":0,"max":1000000,"initial":50000},"type":"object","properties":{"min":{"default":0,"type":"number","minimum":0,"maximum":100000000},"max":{"default":1000000,"type":"number","minimum":0,"maximum":100000000},"initial":{"default":50000,"type":"number","minimum":0,"maximum":100000000}},"additionalProperties":false,"ordered":["min","max"]},
    "retirementAssumptions": {"default":"The return is the same in every year, which no real year keeps to. Taxes, fees and inflation are left out, so the money will buy less than it says. It is an estimate and not a promise.","type":"string","maxLength":2000},
    "currentAge": {"default":{"min":18,"max":80,"initial":30},"type":"object","properties":{"min":{"default":18,"type":"number","minimum":0,"maximum":120},"max":{"default":80,"type":"number","minimum":0,"maximum":120},"initial":{"default":30,"type":"number","minimum":0,"maximum":120}},"additionalProperties":false,"ordered":["min","max"]},
    "retirementAge": {"default":{"min":19,"max":80,"initial":65},"type":"object","properties":{"min":{"default":19,"type":"number","minimum":0,"maximum":120},"max":{"default":80,"type":"number","minimum":0,"maximum":120},"initial":{"default":65,"type":"number","minimum":0,"maximum":120}},"additionalProperties":false,"ordered":["min","max"]},
    "currentSavings": {"default":{"min":0,"max":1000000,"initial":25000},"type":"object","properties":{"min":{"default":0,"type":"number","minimum":0,"maximum":100000000},"max":{"default":1000000,"type":"number","minimum":0,"maximum":100000000},"initial":{"default":25000,"type":"number","minimum":0,"maximum":100000000}},"additionalProperties":false,"ordered":["min","max"]},
    "monthlyContribution": {"default":{"min":0,"max":5000,"initial":500},"type":"object","properties":{"min":{"default":0,"type":"number","minimum":0,"maximum":1000000},"max":{"default":5000,"type":"number","minimum":0,"maximum":1000000},"initial":{"default":500,"type":"number","minimum":0,"maximum":1000000}},"additionalProperties":false,"ordered":["min","max"]},
    "annualReturn": {"default":{"min":1,"max":15,"initial":7},"type":"object","properties":{"min":{"default":1,"type":"number","minimum":0,"maximum":15},"max":{"default":15,"type":"number","minimum":0,"maximum":15},"initial":{"default":7,"type":"number","minimum":0,"maximum":15}},"additionalProperties":false,"ordered":["min","max"]}
  }}$json$),
  ('blog', $json${"type":"object","additionalProperties":false,"properties":{
    "heading": {"default":"Blog","type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "lead": {"default":"","type":"string","maxLength":400},
    "authors": {"default":[],"private":true,"maxItems":20,"type":"array","items":{"type":"string","maxLength":80,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"}},
    "needApproval": {"default":false,"private":true,"type":"boolean"},
    "ownersNeedApproval": {"default":false,"private":true,"type":"boolean"},
    "settingsNeedApproval": {"default":false,"private":true,"type":"boolean"}
  }}$json$),
  ('testimonials', $json${"type":"object","additionalProperties":false,"properties":{
    "heading": {"default":"Testimonials","type":"string","maxLength":120,"pattern":"^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])?$"},
    "lead": {"default":"","type":"string","maxLength":400},
    "invitation": {"default":"Be the first to share your experience.","type":"string","maxLength":160,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "samples": {"default":false,"type":"boolean"},
    "demonstration": {"default":false,"type":"boolean"},
    "approveFirst": {"default":true,"type":"boolean"},
    "askConsent": {"default":true,"type":"boolean"},
    "consent": {"default":"I agree that this firm publishes my review under the name that I entered. I can withdraw this at any time.","type":"string","maxLength":1000}
  }}$json$),
  ('notice', $json${"type":"object","additionalProperties":false,"ordered":["firstDay","lastDay"],"properties":{
    "text": {"default":"","type":"string","maxLength":200,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
    "link": {"default":"","type":"string","maxLength":500,"pattern":"^(https?:\\/\\/[^\\s/]+[^\\s]*|\\/([^\\s/][^\\s]*)?)?$"},
    "firstDay": {"default":"","type":"string","pattern":"^(\\d{4}-\\d{2}-\\d{2})?$"},
    "lastDay": {"default":"","type":"string","pattern":"^(\\d{4}-\\d{2}-\\d{2})?$"}
  }}$json$),
  ('site', $json${"type":"object","additionalProperties":false,"properties":{
    "visible": {"default":true,"type":"boolean"},
    "countVisits": {"default":true,"type":"boolean"},
    "archiveYears": {"default":"7","type":"string","enum":["5","6","7","10","20"]},
    "hold": {"default":false,"private":true,"type":"boolean"},
    "findReleases": {"default":true,"type":"boolean"}
  }}$json$)
on conflict (section) do update set schema = excluded.schema;

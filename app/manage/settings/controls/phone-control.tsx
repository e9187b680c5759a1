import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { SpecialField } from "../field-types.ts";
import { useForm } from "./form-context.ts";
import { TextControl } from "./text-control.tsx";

interface PhoneControlProps {
  field: SpecialField;
  value: string;
  onChange: (value: string) => void;
}

/** A phone number, with the number that its link dials. */
export function PhoneControl({ field, value, onChange }: PhoneControlProps) {
  const { document } = useForm();
  // The library ignores a country that it does not know.
  const defaultCountry = String(document.country) as "US";
  const number = parsePhoneNumberFromString(value, { defaultCountry, extract: false });
  return (
    <TextControl
      kind="phone"
      path={field.name}
      names={[field.name]}
      label={field.label}
      help={field.help}
      value={value}
      onChange={onChange}
      note={
        number?.isPossible() && (
          <p>
            A tap dials {number.formatInternational()}{" "}
            <code className="text-sm">({number.getURI()})</code>
          </p>
        )
      }
    />
  );
}

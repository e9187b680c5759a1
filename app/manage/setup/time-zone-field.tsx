interface TimeZoneFieldProps {
  id: string;
  name: string;
  label: string;
  /** Empty for the time zone of this browser. */
  value: string;
  error?: string;
}

/** The zones of the United States, by their usual names. */
const usualZones = [
  ["America/New_York", "Eastern"],
  ["America/Chicago", "Central"],
  ["America/Denver", "Mountain"],
  ["America/Phoenix", "Arizona"],
  ["America/Los_Angeles", "Pacific"],
  ["America/Anchorage", "Alaska"],
  ["Pacific/Honolulu", "Hawaii"],
] as const;

export function TimeZoneField({ id, name, label, value, error }: TimeZoneFieldProps) {
  const selected = value || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const usual: readonly string[] = usualZones.map(([zone]) => zone);
  const others = new Set([...Intl.supportedValuesOf("timeZone"), selected]);
  for (const zone of usual) others.delete(zone);
  return (
    <div>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <select
        id={id}
        name={name}
        defaultValue={selected}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className="mt-1.5 block min-h-12 w-full rounded-md border border-edge bg-surface px-4 py-2.5 text-base text-ink"
      >
        <optgroup label="United States">
          {usualZones.map(([zone, usualName]) => (
            <option key={zone} value={zone}>
              {usualName}
            </option>
          ))}
        </optgroup>
        <optgroup label="Other time zones">
          {[...others].map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll("_", " ")}
            </option>
          ))}
        </optgroup>
      </select>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** "Good morning, Ada", by the clock of the site; without a name only the greeting. */
export function greet(name: string | null, timeZone: string, now = new Date()): string {
  const hour = Number(
    new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", hourCycle: "h23" }).format(now),
  );
  const part = hour < 5 || hour >= 18 ? "evening" : hour < 12 ? "morning" : "afternoon";
  const first = firstName(name ?? "");
  return first ? `Good ${part}, ${first}` : `Good ${part}`;
}

/** The whole name after a title such as "Dr."; nothing for an email address. */
function firstName(name: string): string {
  if (name.includes("@")) return "";
  const [first = ""] = name.trim().split(/\s+/);
  return first.endsWith(".") ? name.trim() : first;
}

/** "Saturday, November 28" */
export function longDay(timeZone: string, now = new Date()): string {
  return now.toLocaleDateString("en-US", {
    ...{ weekday: "long", month: "long", day: "numeric" },
    timeZone,
  });
}

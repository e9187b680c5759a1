export function Disclosures({ texts }: { texts: readonly (string | undefined)[] }) {
  const shown = texts.filter((text) => text !== undefined && text !== "");
  if (shown.length === 0) return null;
  return (
    <div className="mt-10 max-w-3xl space-y-3 border-t border-line pt-5 text-sm whitespace-pre-line text-muted">
      {shown.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

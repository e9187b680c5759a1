/** Legal notices below what they are about; nothing when all are empty. */
export function Disclosures({ texts }: { texts: readonly string[] }) {
  const shown = texts.filter(Boolean);
  if (shown.length === 0) return null;
  return (
    <div className="mt-10 max-w-3xl space-y-3 border-t border-line pt-5 text-sm whitespace-pre-line text-muted">
      {shown.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

export function UploadProgress({ percent }: { percent: number }) {
  return (
    <label className="flex min-w-48 flex-1 items-center gap-3 text-sm">
      Uploading
      <progress value={percent} max={100} className="progress h-2 min-w-0 flex-1" />
      <span className="w-11 text-right tabular-nums">{`${percent}%`}</span>
    </label>
  );
}

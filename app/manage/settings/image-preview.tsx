import { Image } from "../../ui/image.tsx";

interface ImagePreviewProps {
  label: string;
  src: string;
  width: number;
  height: number;
  /** Shows the image on a light and on a dark background. */
  mayBeTransparent: boolean;
}

/** An image as pages show it. */
export function ImagePreview({ label, mayBeTransparent, ...image }: ImagePreviewProps) {
  const backgrounds = mayBeTransparent
    ? [
        { name: " on a light background", look: "bg-cream" },
        { name: " on a dark background", look: "bg-deep" },
      ]
    : [{ name: "", look: "bg-sand" }];
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {backgrounds.map(({ name, look }) => (
        <div
          key={name}
          className={`flex h-44 items-center justify-center overflow-hidden rounded-md border border-line p-3 ${look}`}
        >
          <Image
            {...image}
            alt={`${label}${name}`}
            sizes="20rem"
            maxWidth={800}
            className="max-h-full w-auto max-w-full object-contain"
          />
        </div>
      ))}
    </div>
  );
}

import type { IconNode } from "lucide";
import { createElement } from "react";

interface IconProps {
  /** One of Lucide's drawings. */
  drawing: IconNode;
  className: string;
  strokeWidth?: number;
}

/** A drawing in the colour of the text around it. Decoration: words beside it say the same. */
export function Icon({ drawing, className, strokeWidth = 2 }: IconProps) {
  return createElement(
    "svg",
    {
      viewBox: "0 0 24 24",
      width: 24,
      height: 24,
      fill: "none",
      stroke: "currentColor",
      strokeWidth,
      strokeLinecap: "round",
      strokeLinejoin: "round",
      "aria-hidden": true,
      className,
    },
    ...drawing.map(([shape, attributes]) => createElement(shape, attributes)),
  );
}

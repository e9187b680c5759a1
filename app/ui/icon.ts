import type { IconNode } from "lucide";
import { createElement } from "react";

interface IconProps {
  drawing: IconNode;
  className: string;
  strokeWidth?: number;
}

/** A Lucide icon in the text color. Hidden from screen readers: the text beside it has the meaning. */
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

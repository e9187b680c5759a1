const base =
  "inline-flex items-center justify-center gap-2 rounded-full font-semibold text-center transition-colors duration-150 disabled:opacity-60";
const variants = {
  primary: "bg-evergreen text-white hover:bg-deep",
  secondary: "border border-edge/60 bg-surface text-evergreen hover:border-evergreen hover:bg-sage",
  light: "bg-paper text-deep hover:bg-white",
  quietDanger:
    "border border-danger/40 bg-surface text-danger hover:border-danger hover:bg-clay-soft",
  danger: "bg-danger text-white hover:bg-[#7f1d15]",
} as const;
const sizes = {
  small: "min-h-10 px-4 py-2 text-sm",
  normal: "min-h-12 px-6 py-3 text-base leading-tight",
} as const;

/** The look of a button, for `button`, `Link` and `a` alike. */
export function buttonClass(
  variant: keyof typeof variants,
  size: keyof typeof sizes = "normal",
): string {
  return `${base} ${variants[variant]} ${sizes[size]}`;
}

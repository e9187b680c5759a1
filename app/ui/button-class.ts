// Buttons without a border get one where the visitor chose other colors.
const base =
  "inline-flex items-center justify-center gap-2 rounded-md font-semibold text-center text-balance transition-colors duration-150 disabled:opacity-60 forced-colors:border";
const variants = {
  primary: "bg-evergreen text-paper hover:bg-pine",
  secondary: "border border-edge bg-surface text-evergreen hover:border-evergreen hover:bg-sage",
  light: "bg-cream text-deep hover:bg-mist",
  quietDanger:
    "border border-danger/40 bg-surface text-danger hover:border-danger hover:bg-clay-soft",
  danger: "bg-danger text-paper hover:bg-danger-strong",
} as const;
const sizes = {
  small: "min-h-10 px-4 py-2 text-sm",
  normal: "min-h-12 px-6 py-3 text-base leading-tight",
} as const;

export function buttonClass(
  variant: keyof typeof variants,
  size: keyof typeof sizes = "normal",
): string {
  return `${base} ${variants[variant]} ${sizes[size]}`;
}

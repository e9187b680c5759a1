import {
  Infinity as InfinityIcon,
  Leaf,
  ScrollText,
  Shield,
  Sunrise,
  Umbrella,
  Vault,
} from "lucide-react";
import type { ServiceIcon as Name } from "../config/service-catalogue.ts";

const icons = {
  shield: Shield,
  infinity: InfinityIcon,
  sunrise: Sunrise,
  umbrella: Umbrella,
  leaf: Leaf,
  vault: Vault,
  scroll: ScrollText,
} satisfies Record<Name, unknown>;

/** The sign of a service; decoration, its title says the same. */
export function ServiceIcon({ name, className }: { name: Name; className: string }) {
  const Icon = icons[name];
  return <Icon aria-hidden="true" strokeWidth={1.5} className={className} />;
}

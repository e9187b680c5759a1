import {
  type IconNode,
  Infinity as InfinityIcon,
  Leaf,
  ScrollText,
  Shield,
  Sunrise,
  Umbrella,
  Vault,
} from "lucide";
import type { ServiceIcon as Name } from "../config/service-catalogue.ts";
import { Icon } from "../ui/icon.ts";

const drawings = {
  shield: Shield,
  infinity: InfinityIcon,
  sunrise: Sunrise,
  umbrella: Umbrella,
  leaf: Leaf,
  vault: Vault,
  scroll: ScrollText,
} satisfies Record<Name, IconNode>;

/** The sign of a service; decoration, its title says the same. */
export function ServiceIcon({ name, className }: { name: Name; className: string }) {
  return <Icon drawing={drawings[name]} strokeWidth={1.5} className={className} />;
}

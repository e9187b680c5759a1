// Which addresses are not of the public internet. A server that someone names must not reach what only this machine can reach.
import { BlockList, isIP } from "node:net";

/** The IPv4 networks that are not part of the public internet (IANA special-purpose registry), and addresses of cloud platforms. */
export const privateNetworks = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"],
  ...["192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
  // Azure's agent for virtual machines.
  "168.63.129.16/32",
] as const;

const notPublic = blockListOf(privateNetworks);

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    list.addSubnet(address, Number(length), "ipv4");
  }
  return list;
}

/** Whether an IPv4 address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) === 4 && !notPublic.check(address, "ipv4");
}

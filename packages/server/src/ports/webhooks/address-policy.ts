import { BlockList, isIP } from "node:net";

type Family = "ipv4" | "ipv6";

const listOf = (family: Family, ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits = ""] = range.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

/** IANA's special-purpose networks that are not on the public internet, and the deprecated 6to4 relay. */
const specialIpv4 = listOf("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

const publicIpv6 = listOf("ipv6", ["2000::/3"]);

/**
 * Special networks within the public part: Teredo and other protocols, documentation, 6to4. The last leads to an IPv4
 * address.
 */
const specialIpv6 = listOf("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/**
 * The addresses at which clouds serve a machine's keys and settings (AWS, Azure, Google, Oracle, Alibaba): no webhook
 * may use them.
 */
const metadata = {
  ipv4: listOf("ipv4", [
    "100.100.100.200/32",
    "168.63.129.16/32",
    "169.254.169.0/24",
    "169.254.170.0/24",
    "192.0.0.192/32",
  ]),
  ipv6: listOf("ipv6", ["fd00:ec2::/32", "fd20:ce::/32"]),
};

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const read = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [read(head), read(tail ?? "")];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** `::ffff:a.b.c.d` is that address, and `64:ff9b::a.b.c.d` is how a network without IPv4 reaches it. */
const carriers = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/** The IPv4 address that a connection to this address would reach, if any. */
function carriedIpv4(address: string): string | undefined {
  const groups = groupsOf(address);
  if (!carriers.some((prefix) => prefix.every((group, index) => group === groups[index]))) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

const isPublic = (address: string, family: Family): boolean =>
  family === "ipv4"
    ? !specialIpv4.check(address, family)
    : publicIpv6.check(address, family) && !specialIpv6.check(address, family);

/**
 * Decides whether an address may be contacted: a public one, or one in the ranges that the operator allows. Addresses
 * at which clouds serve keys are never allowed, whatever the ranges are.
 */
export type AddressPolicy = (address: string) => boolean;

export function addressPolicy(allowedRanges: readonly string[]): AddressPolicy {
  const inFamily = (version: number) => allowedRanges.filter((range) => isIP(range.split("/")[0] ?? "") === version);
  const allowed = { ipv4: listOf("ipv4", inFamily(4)), ipv6: listOf("ipv6", inFamily(6)) };
  return (address) => {
    const version = isIP(address);
    if (version === 0 || address.includes("%")) return false;
    const ipv4 = version === 4 ? address : carriedIpv4(address);
    const [target, family] = ipv4 === undefined ? [address, "ipv6" as const] : [ipv4, "ipv4" as const];
    if (metadata[family].check(target, family)) return false;
    return allowed[family].check(target, family) || isPublic(target, family);
  };
}

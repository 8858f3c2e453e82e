import assert from "node:assert/strict";
import { test } from "node:test";
import { addressPolicy } from "./address-policy.ts";

const refused = [
  "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.1.2.3 169.254.169.254",
  "172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7",
  "203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255",
  ":: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 0:0:0:0:0:ffff:a9fe:a9fe ::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::0.0.0.0 64:ff9b:1::1 64:ff9b:1::8.8.8.8",
  "2002:7f00:1::1 2002:808:808::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2001:10::1 3fff::1",
  "fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 100::1 5f00::1 4000::1 fd00:ec2::254",
].flatMap((line) => line.split(" "));

const permitted = [
  "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255",
  "172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255",
  "2606:4700::1111 2a00:1450:4001::200e 2003::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::808:808",
].flatMap((line) => line.split(" "));

test("HOOK20 addresses that are not public are refused, in every way of writing them", () => {
  const mayReach = addressPolicy([]);
  for (const address of refused) assert.equal(mayReach(address), false, address);
  for (const address of permitted) assert.equal(mayReach(address), true, address);
  for (const nonsense of ["", "localhost", "1.2.3", "0x7f.1", "2130706433", "[::1]", "::1::"])
    assert.equal(mayReach(nonsense), false, nonsense);
});

test("HOOK24 where clouds keep keys no setting leads, in no way of writing the address", () => {
  const everything = addressPolicy(["0.0.0.0/0", "::/0"]);
  const named = addressPolicy(["169.254.169.254/32", "fd00:ec2::254/128", "168.63.129.16/32", "100.100.100.200/32"]);
  const addresses =
    "169.254.169.254 168.63.129.16 100.100.100.200 fd00:ec2::254 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe " +
    "64:ff9b::168.63.129.16 ::ffff:100.100.100.200 fd00:0ec2:0:0:0:0:0:254 169.254.170.2";
  for (const address of addresses.split(" "))
    for (const mayReach of [everything, named, addressPolicy([])]) assert.equal(mayReach(address), false, address);
  for (const address of ["169.254.1.1", "fd00:ec1::1", "168.63.129.17"]) assert.ok(everything(address), address);
});

test("HOOK21 the operator's ranges are permitted beside them, and nothing else", () => {
  const mayReach = addressPolicy(["10.1.0.0/16", "fd00::/8"]);
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd12::1", "8.8.8.8"])
    assert.equal(mayReach(address), true, address);
  for (const address of ["10.2.0.1", "127.0.0.1", "::1", "fc00::1", "169.254.169.254"])
    assert.equal(mayReach(address), false, address);
});

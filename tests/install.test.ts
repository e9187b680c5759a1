// Tests what `deploy/install.sh` writes, and that a second run changes nothing. The script runs as root in a mount namespace with its own /etc and
// /usr/local/sbin. Stand-ins take the place of what installs packages, builds and starts services.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createTemporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "..");
const domain = "www.example.test";
const link = "https://www.example.test/confirm#token_hash=x&type=setup";
const timeout = 30_000;

/** Why this machine cannot run these tests; null if it can. */
function findObstacle(): string | null {
  if (process.getuid?.() !== 0) return "This needs root";
  const { status } = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]);
  return status === 0 ? null : "This machine allows no mount namespaces";
}

const obstacle = findObstacle();
let folder: string;
let clone: string;
let site: string;
let bin: string;

beforeEach(async () => {
  if (obstacle) return;
  folder = await createTemporaryFolder("install");
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  [clone, site, bin] = [join(folder, "clone"), join(folder, "site"), join(folder, "bin")];
  await makeClone();
  for (const name of ["etc", "sbin"]) await mkdir(join(folder, name));
  for (const name of ["passwd", "group", "shadow", "gshadow", "login.defs", "nsswitch.conf"]) {
    await cp(join("/etc", name), join(folder, "etc", name), { force: true }).catch(() => {});
  }
  await mkdir(join(folder, "etc/systemd/system"), { recursive: true });
  await writeFile(join(folder, "etc/hosts"), `127.0.0.1 ${domain}\n`);
  await makeStandIns();
});

/** Only what the script reads of a clone. */
async function makeClone(): Promise<void> {
  await mkdir(clone);
  await cp(join(root, "deploy"), join(clone, "deploy"), { recursive: true });
  await cp(join(root, ".env.example"), join(clone, ".env.example"));
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  const git = (...args: string[]) => execFileSync("git", [...identity, ...args], { cwd: clone });
  git("init", "--quiet");
  git("remote", "add", "origin", "https://example.com/adviser-site.git");
  git("add", "--all");
  git("commit", "--quiet", "--message=first");
}

async function makeStandIns(): Promise<void> {
  await mkdir(bin);
  const standIns: Record<string, string> = {
    "apt-get": 'case "$*" in install*caddy*) : >>"$FOLDER/has-caddy" ;; esac',
    curl: '[ ! -e "$FOLDER/no-https" ]',
    systemctl: `case "$1" in
      is-enabled) false ;;
      is-active) [ -e "$FOLDER/active" ] ;;
      enable) [ "$2 $3" != "--now adviser-site.service" ] || : >"$FOLDER/active" ;;
    esac`,
    caddy: 'if [ -e "$FOLDER/bad-caddyfile" ]; then echo "bad Caddyfile" >&2; exit 1; fi',
    "dpkg-query": `printf ' /etc/caddy/Caddyfile ${md5("packaged\n")}\\n'`,
    ufw: 'echo "Status: inactive"',
    ss: 'cat "$FOLDER/listening" 2>/dev/null || true',
    ip: `printf '1: eth0    inet 203.0.113.5/24 scope global\\n1: lo inet 127.0.0.1/8\\n'`,
    nginx: '[ ! -e "$FOLDER/bad-nginx" ]',
    sleep: `printf '127.0.0.1 ${domain}\\n' >/etc/hosts`,
    setpriv: 'while case $1 in --*) true ;; *) false ;; esac; do shift; done; exec "$@"',
    node: `case "$*" in
      *process.env.PORT*) echo 3000 ;;
      *process.env.SITE_URL*) sed -n 's/^SITE_URL=//p' "$SITE/.env" ;;
      *scripts/owner.ts*) echo '${link}' ;;
    esac`,
    npm: "",
  };
  for (const [name, script] of Object.entries(standIns)) {
    const file = join(bin, name);
    await writeFile(file, `#!/bin/sh\necho "${name} $*" >>"$FOLDER/ran"\n${script}\n`);
    await chmod(file, 0o755);
  }
  // Nothing of this machine's web servers is seen, until a test adds one.
  await mkdir(join(folder, "hidden"));
  for (const name of ["nginx", "caddy"]) await cp(join(bin, name), join(folder, "hidden", name));
  for (const name of ["nginx", "caddy"]) await rm(join(bin, name));
  const programs =
    "awk cat chmod chown cmp cp cut dirname env flock getent git grep head id ln ls md5sum mkdir mv";
  const others =
    "printf pwd readlink rm sed sh sha256sum sort stat sync tail touch tr useradd date";
  await mkdir(join(folder, "programs"));
  for (const name of `${programs} ${others}`.split(" ")) {
    const { stdout } = spawnSync("sh", ["-c", `readlink -f "$(command -v ${name})"`], {
      encoding: "utf8",
      // Of root, as which the script runs: the one of this process may lack the folder of `useradd`.
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    });
    const path = stdout.trim();
    if (path.startsWith("/")) execFileSync("ln", ["-s", path, join(folder, "programs", name)]);
  }
}

async function addProgram(name: "nginx" | "caddy"): Promise<void> {
  await cp(join(folder, "hidden", name), join(bin, name));
}

async function install(args: string[] = [domain], environment: Record<string, string> = {}) {
  // `apt-get install caddy` brings the program and its example.
  const script = `
    mount --bind ${folder}/etc /etc && mount --bind ${folder}/sbin /usr/local/sbin || exit 99
    export PATH=${bin}:${folder}/programs
    exec sh ${clone}/deploy/install.sh "$@"`;
  await rm(join(folder, "ran"), { force: true });
  const { status, stdout, stderr } = spawnSync(
    "unshare",
    ["--mount", "sh", "-c", script, "-", ...args],
    {
      encoding: "utf8",
      env: { PATH: process.env.PATH, SITE: site, FOLDER: folder, WAIT: "1", ...environment },
    },
  );
  const ran = await readFile(join(folder, "ran"), "utf8").catch(() => "");
  return { status, output: stdout + stderr, ran: ran.split("\n") };
}

const read = (...path: string[]) => readFile(join(folder, ...path), "utf8");
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** All files that the script may write, with their content. */
async function readWritten(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const part of ["etc", "sbin", "site/.env"]) {
    const at = join(folder, part);
    const names = part.endsWith(".env") ? [""] : await readdir(at, { recursive: true });
    for (const name of names) {
      const text = await readFile(join(at, name), "utf8").catch(() => null);
      if (text !== null) files[join(part, name)] = text;
    }
  }
  return files;
}

async function packageCaddyfile(text = "packaged\n"): Promise<void> {
  await addProgram("caddy");
  await mkdir(join(folder, "etc/caddy"));
  await writeFile(join(folder, "etc/caddy/Caddyfile"), text);
}

describe.skipIf(obstacle)(`as root (${obstacle ?? "in a mount namespace"})`, { timeout }, () => {
  test("one run installs the service, its settings and https, and says where to go on", async () => {
    await packageCaddyfile();
    const { status, output, ran } = await install();
    expect([status, output]).toEqual([0, expect.stringContaining(`\n${link}\n`)]);
    expect(await read("site/.env")).toMatch(
      /\nSITE_URL=https:\/\/www\.example\.test\nTRUSTED_PROXIES=1\n$/,
    );
    expect(await read("etc/caddy/Caddyfile")).toBe("import adviser-site.caddy\n");
    expect(
      await read("etc/caddy/adviser-site.caddy"),
    ).toBe(`# Written by deploy/install.sh of the adviser site, which replaces it.
www.example.test {
	request_body {
		max_size 52MB
	}
	reverse_proxy 127.0.0.1:3000
}
`);
    expect(await read("etc/systemd/system/adviser-site.service")).toContain(
      `WorkingDirectory=${site}/current\n`,
    );
    expect(ran).toEqual(
      expect.arrayContaining([
        "node scripts/build.mjs",
        "systemctl enable --now adviser-site.service",
        "systemctl reload caddy.service",
        "node scripts/owner.ts setup-link",
      ]),
    );
    expect(ran.join("\n")).not.toMatch(/able --now .*upgrade\.timer$|apt-get/m);
  });

  test("a second run changes no file, builds nothing and restarts nothing", async () => {
    await packageCaddyfile();
    await install();
    const before = await readWritten();
    const { status, ran } = await install();
    expect(status).toBe(0);
    expect(await readWritten()).toEqual(before);
    expect(ran.filter((line) => /build|restart|reload|stop/.test(line))).toEqual([
      "systemctl daemon-reload",
    ]);
  });

  test("the nightly timer of version 0.9 is removed", async () => {
    const units = ["timer", "service"].map((kind) => `adviser-site-backup.${kind}`);
    const folderOfUnits = join(folder, "etc/systemd/system");
    for (const unit of units) await writeFile(join(folderOfUnits, unit), "");
    const { ran } = await install();
    expect(ran).toContain("systemctl disable --now adviser-site-backup.timer");
    expect((await readdir(folderOfUnits)).join()).not.toContain("backup");
    expect((await install()).ran.join()).not.toContain("backup");
  });

  test("another domain restarts the site with it, and keeps the other settings", async () => {
    await packageCaddyfile();
    await install();
    await writeFile(join(site, ".env"), "SITE_URL=https://old.example\nTRUSTED_PROXIES=2\nA=b\n");
    const { ran } = await install();
    expect(await read("site/.env")).toBe(`TRUSTED_PROXIES=2\nA=b\nSITE_URL=https://${domain}\n`);
    expect(ran).toContain("systemctl restart adviser-site.service");
  });

  test("without a domain it installs the service alone", async () => {
    const { status, ran } = await install([]);
    expect(status).toBe(0);
    expect(ran.join("\n")).not.toMatch(/caddy|apt-get/);
    expect(await read("site/.env")).not.toMatch(/^SITE_URL/m);
  });

  test("a missing record is named, and the run goes on once it is there", async () => {
    await packageCaddyfile();
    await writeFile(join(folder, "etc/hosts"), "");
    const { status, output } = await install();
    expect(output).toMatch(
      /This DNS record is missing[\s\S]*type {3}A\n {2}name {3}www\.example\.test[\s\S]*value {2}203\.0\.113\.5\n/,
    );
    expect([status, output]).toEqual([0, expect.stringContaining(link)]);
  });

  test("a record that leads elsewhere ends the wait, and Caddy is left to go on", async () => {
    await packageCaddyfile();
    await writeFile(join(folder, "etc/hosts"), `198.51.100.1 ${domain}\n`);
    await writeFile(join(bin, "sleep"), "#!/bin/sh\n");
    const { status, output } = await install();
    expect(output).toContain(`${domain} leads to another machine: 198.51.100.1`);
    expect([status, output]).toEqual([1, expect.stringContaining("The record is not there")]);
    expect(await read("etc/caddy/adviser-site.caddy")).toContain(domain);
  });

  test("a Caddyfile of somebody's own keeps its text and gets one line", async () => {
    const own = "other.example {\n\trespond hello\n}\n";
    await packageCaddyfile(own);
    await install();
    const expected = `${own}\nimport adviser-site.caddy\n`;
    expect(await read("etc/caddy/Caddyfile")).toBe(expected);
    await install();
    expect(await read("etc/caddy/Caddyfile")).toBe(expected);
  });

  test("a Caddyfile that would not work with it is left as it was", async () => {
    await packageCaddyfile("mine");
    await writeFile(join(folder, "bad-caddyfile"), "");
    const { status, output } = await install();
    expect([status, output]).toEqual([1, expect.stringContaining("nothing was changed")]);
    expect(await read("etc/caddy/Caddyfile")).toBe("mine");
  });

  test("beside nginx it adds a file for the site when there is a certificate", async () => {
    await addProgram("nginx");
    const first = await install();
    expect([first.status, first.output]).toEqual([1, expect.stringContaining("certbot certonly")]);
    const certificates = join(folder, "etc/letsencrypt/live", domain);
    await mkdir(certificates, { recursive: true });
    await writeFile(join(certificates, "fullchain.pem"), "");
    await mkdir(join(folder, "etc/nginx/conf.d"), { recursive: true });
    const { status, ran } = await install();
    expect(status).toBe(0);
    expect(await read("etc/nginx/conf.d/adviser-site.conf")).toContain(`server_name ${domain};`);
    expect(ran).toContain("systemctl reload nginx.service");
    expect((await install()).ran).not.toContain("systemctl reload nginx.service");
  });

  test("nginx's own site for the domain is not touched", async () => {
    await addProgram("nginx");
    await mkdir(join(folder, "etc/nginx/conf.d"), { recursive: true });
    const own = join(folder, "etc/nginx/conf.d/own.conf");
    await writeFile(own, `server { server_name example.test ${domain}; }`);
    const { status, output } = await install();
    expect([status, output]).toEqual([1, expect.stringContaining("nothing was written")]);
    expect(await readdir(join(folder, "etc/nginx/conf.d"))).toEqual(["own.conf"]);
  });

  test("beside another web server it says what to add", async () => {
    await writeFile(join(folder, "listening"), "LISTEN 0 511 *:80 *:*\n");
    await writeFile(join(folder, "no-https"), "");
    const { status, output } = await install();
    expect(status).toBe(1);
    expect(output).toContain("forwarded to http://127.0.0.1:3000 with WebSockets");
  });

  test("upgrades at night are off until they are asked for", async () => {
    const offered = await install([]);
    expect(offered.output).toContain("sudo sh deploy/install.sh --upgrade-at-night");
    const { ran } = await install(["--upgrade-at-night"]);
    expect(ran).toContain("systemctl enable --now adviser-site-upgrade.timer");
    const off = await install(["--no-upgrade-at-night"]);
    expect(off.ran).toContain("systemctl disable --now adviser-site-upgrade.timer");
  });

  test("root writes no PORT into a web server's configuration that is not a number", async () => {
    await packageCaddyfile();
    const hostile = "3000\n}\nother.example {";
    await writeFile(join(bin, "node"), `#!/bin/sh\nprintf '%s' '${hostile}'\n`);
    const { status, output } = await install();
    expect([status, output]).toEqual([1, expect.stringContaining("PORT in ")]);
    expect(await readdir(join(folder, "etc/caddy"))).toEqual(["Caddyfile"]);
  });

  test.each(["example", "https://example.com", "a..b", "-x", "ex ample.com"])(
    "%s is no domain",
    async (wrong) => {
      const { status, output } = await install([wrong]);
      expect([status, output]).toEqual([1, expect.stringContaining("Usage: ")]);
    },
  );
});

// nginx in front of several processes of the site. Installed with apt when it is missing and this user may do so.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const program = "/usr/sbin/nginx";

/** The part of the configuration that several processes need (docs/scaling.md). */
function configuration(folder: string, port: number, sites: readonly number[]): string {
  // A process that is down refuses connections at once. Counting its failures, nginx takes all for dead while each restarts.
  const servers = sites.map((site) => `server 127.0.0.1:${site} max_fails=0;`);
  return `
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream site {
    ${servers.join("\n    ")}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://site;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      # Tries another process. Only for requests that may be repeated: nginx never repeats a POST that was sent.
      proxy_next_upstream error timeout;
      proxy_connect_timeout 2s;
    }
  }
}
`;
}

export async function startNginx(folder: string, port: number, sites: readonly number[]) {
  install();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "nginx.conf"), configuration(folder, port, sites));
  const nginx = spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = new Promise((resolve) => nginx.once("exit", resolve));
  return {
    async stop(): Promise<void> {
      nginx.kill("SIGTERM");
      await exited;
    },
  };
}

function install(): void {
  if (existsSync(program)) return;
  const options = { stdio: "inherit", timeout: 300_000 } as const;
  spawnSync("apt-get", ["update"], options);
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "nginx-light"], {
    ...options,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (!existsSync(program)) {
    throw new Error("This test needs nginx. On Debian: apt-get install nginx-light");
  }
}

// A bucket for tests, which checks the signature of each request (AWS Signature Version 4) and the hash of what it stores.
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

interface Account {
  bucket: string;
  region: string;
  keyId: string;
  secret: string;
}

const hash = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();

export async function startBucket({ bucket, region, keyId, secret }: Account) {
  const files = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://bucket.test");
    const header = (name: string) => String(request.headers[name] ?? "");
    const fail = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    const [, id, day = "", ofRegion, names = "", signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        header("authorization"),
      ) ?? [];
    if (id !== keyId) return fail(403, "InvalidAccessKeyId");
    if (ofRegion !== region) return fail(400, "AuthorizationHeaderMalformed");
    const canonical = [
      ...[request.method, pathname, searchParams.toString()],
      ...names.split(";").map((name) => `${name}:${header(name).trim()}`),
      ...["", names, header("x-amz-content-sha256")],
    ].join("\n");
    const time = header("x-amz-date");
    const scope = `${day}/${region}/s3/aws4_request`;
    const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), "s3"), "aws4_request");
    const expected = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`);
    const isSigned =
      expected.toString("hex") === signature &&
      names.includes("x-amz-content-sha256") &&
      hash(body) === header("x-amz-content-sha256");
    if (!isSigned) return fail(403, "SignatureDoesNotMatch");
    const [, name, file = ""] = pathname.split("/");
    if (name !== bucket) return fail(404, "NoSuchBucket");
    if (request.method === "PUT") {
      // Amazon S3 does not take chunks without a length.
      if (header("content-length") === "") return fail(411, "MissingContentLength");
      files.set(file, body);
    } else if (request.method === "DELETE") {
      files.delete(file);
    } else if (file) {
      return files.has(file) ? response.end(files.get(file)) : fail(404, "NoSuchKey");
    } else {
      const prefix = searchParams.get("prefix") ?? "";
      const keys = [...files.keys()].filter((each) => each.startsWith(prefix)).toSorted();
      const listed = keys.slice(0, 1000).map((each) => `<Contents><Key>${each}</Key></Contents>`);
      return response.end(`<ListBucketResult>${listed.join("")}</ListBucketResult>`);
    }
    return response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    stop: () => server.close(),
  };
}

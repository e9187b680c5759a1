// The grammar of the REST endpoint: parses a request, and builds the library's request from the parsed parts only.
// Covers: select, filters, order, limit, insert, upsert, update, delete and the functions of rest-api.ts. Does not cover:
// casts, aliases, embedded tables, JSON paths, patterns, regular expressions, or(), and(), ranges in headers, CSV. All of
// these are rejected with an error in PostgREST's shape.
import { HttpError } from "../errors.ts";
import {
  MAX_RETURNED_ROW_BYTES,
  maxRows,
  type RestApi,
  type RestFunction,
  type RestTable,
  rowBytes,
} from "./rest-api.ts";

export interface RestRequest {
  /** The request for the library. */
  request: Request;
  /** The table whose rows may change. */
  changes?: string | undefined;
  /** What of the response tells how many rows changed; nothing does after a call of a function. */
  changedRows?: "body" | "content-range";
  endsSessions?: boolean | undefined;
}

const MAX_FILTERS = 6;
const MAX_LIST_VALUES = 200;
/** The maximum length of a filter value in characters. A slug has at most 600. */
const MAX_VALUE = 1000;
/** The maximum of a limit or an offset. */
const MAX_COUNT = 10_000_000;

const OBJECT = "application/vnd.pgrst.object+json";
const JSON_TYPE = "application/json";

/** @throws HttpError */
export async function parseRestRequest(api: RestApi, request: Request): Promise<RestRequest> {
  const url = new URL(request.url);
  const path = /^\/rest\/v1\/(rpc\/)?(\w+)$/.exec(url.pathname);
  if (!path) throw new HttpError(404, "PGRST125", "Invalid path specified in request URL");
  const [, isFunction, name = ""] = path;
  checkSchema(request.headers);
  const parameters = parseParameters(url.searchParams);
  if (isFunction) {
    const called = Object.hasOwn(api.functions, name) ? api.functions[name] : undefined;
    return parseFunctionCall(request, name, called, parameters);
  }
  const table = Object.hasOwn(api.tables, name) ? api.tables[name] : undefined;
  return parseTableQuery(request, name, table, parameters);
}

async function parseFunctionCall(
  request: Request,
  name: string,
  called: RestFunction | undefined,
  parameters: ReadonlyMap<string, string>,
): Promise<RestRequest> {
  const missing = `Could not find the function public.${name} in the schema cache`;
  if (!called) throw new HttpError(404, "PGRST202", missing);
  if (request.method !== "POST") throw unsupportedMethod(request.method);
  for (const parameter of parameters.keys()) throw notOffered(`the parameter "${parameter}"`);
  const body = await request.text();
  const values = body === "" ? {} : parseJson(body);
  const names = isObject(values) ? Object.keys(values).toSorted().join() : null;
  if (names !== called.arguments.toSorted().join()) {
    throw new HttpError(404, "PGRST202", `${missing} with these arguments`);
  }
  return {
    changes: called.changes,
    endsSessions: called.endsSessions,
    request: build(request, `rpc/${name}`, [], acceptOf(request.headers), [], body || "{}"),
  };
}

async function parseTableQuery(
  request: Request,
  name: string,
  table: RestTable | undefined,
  parameters: ReadonlyMap<string, string>,
): Promise<RestRequest> {
  if (!table) {
    const message = `Could not find the table 'public.${name}' in the schema cache`;
    throw new HttpError(404, "PGRST205", message);
  }
  const { method, headers } = request;
  const accept = acceptOf(headers);
  const preferences = (headers.get("prefer") ?? "").split(",").map((each) => each.trim());
  const supported = (...names: string[]) => names.filter((each) => preferences.includes(each));
  const query = parseQuery(name, table, parameters);

  if (method === "GET" || method === "HEAD") {
    if (query.hasInsertColumns) throw notOffered('the parameter "columns" when reading');
    const limit = Math.min(query.limit ?? Number.POSITIVE_INFINITY, maxRows(table, query.columns));
    const search: Query["search"] = [...query.search, ["limit", String(limit)]];
    return { request: build(request, name, search, accept, supported("count=exact"), null) };
  }

  if (query.isPaged) throw notOffered("order, limit and offset here");
  if (method === "DELETE" || method === "PATCH") {
    if (query.filters === 0) {
      throw new HttpError(400, "21000", `${method} requires a filter`);
    }
    if (query.hasInsertColumns) throw notOffered('the parameter "columns" here');
  } else if (method !== "POST") {
    throw unsupportedMethod(method);
  } else if (query.filters > 0) throw notOffered("filters when inserting");

  const isReturned = preferences.includes("return=representation");
  const isLimited = method === "POST" || query.isOneRow;
  if (isReturned && !isLimited && rowBytes(table, query.columns) > MAX_RETURNED_ROW_BYTES) {
    throw notOffered("whole rows of this table in the response; name the columns in select");
  }
  const body = method === "DELETE" ? null : await parseRows(request, name, table);
  const sent = [
    // Their number shows whether anything changed when the rows themselves are not returned.
    ...(isReturned
      ? supported("return=representation", "count=exact")
      : ["return=minimal", "count=exact"]),
    ...(method === "POST" ? supported("resolution=merge-duplicates") : []),
  ];
  return {
    changes: name,
    changedRows: isReturned ? "body" : "content-range",
    request: build(request, name, query.search, accept, sent, body),
  };
}

interface Query {
  columns: readonly string[];
  /** Whether the request lists the columns of an insert. */
  hasInsertColumns: boolean;
  filters: number;
  /** Whether the filters match at most one row. */
  isOneRow: boolean;
  /** Whether the query has an order, a limit or an offset. */
  isPaged: boolean;
  limit: number | null;
  /** The query for the library, without the limit. */
  search: [name: string, value: string][];
}

function parseQuery(
  name: string,
  table: RestTable,
  parameters: ReadonlyMap<string, string>,
): Query {
  const all = Object.keys(table.columns);
  const query: Query = {
    columns: all,
    hasInsertColumns: false,
    filters: 0,
    isOneRow: false,
    isPaged: false,
    limit: null,
    search: [],
  };
  for (const [parameter, value] of parameters) {
    if (parameter === "select") {
      query.columns = value === "*" || value === "" ? all : parseColumns(name, table, value);
      query.search.push([parameter, query.columns === all ? "*" : query.columns.join()]);
    } else if (parameter === "columns") {
      query.hasInsertColumns = true;
      const columns = parseColumns(name, table, value.replaceAll(/"(\w+)"/g, "$1"));
      query.search.push([parameter, columns.join()]);
    } else if (parameter === "order") {
      query.isPaged = true;
      query.search.push([parameter, parseOrder(table, value)]);
    } else if (parameter === "limit") {
      query.isPaged = true;
      query.limit = parseCount(parameter, value);
    } else if (parameter === "offset") {
      query.isPaged = true;
      query.search.push([parameter, String(parseCount(parameter, value))]);
    } else {
      query.filters += 1;
      if (parameter === "id" && value.startsWith("eq.")) query.isOneRow = true;
      query.search.push([parameter, parseFilter(name, table, parameter, value)]);
    }
  }
  if (query.filters > MAX_FILTERS) throw notOffered(`more than ${MAX_FILTERS} filters`);
  return query;
}

/** Rejects repeated parameters, because parsers interpret them differently. */
function parseParameters(search: URLSearchParams): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of search) {
    if (parameters.has(name)) throw notOffered("the same parameter twice");
    parameters.set(name, value);
  }
  return parameters;
}

function parseColumns(name: string, table: RestTable, list: string): string[] {
  const columns = list.split(",").map((column) => column.trim());
  for (const column of columns) {
    if (!/^\w+$/.test(column)) throw notOffered("anything but column names in a list of columns");
    if (!Object.hasOwn(table.columns, column)) throw unknownColumn(name, column);
  }
  if (new Set(columns).size < columns.length) throw notOffered("the same column twice");
  return columns;
}

function parseOrder(table: RestTable, list: string): string {
  const columns = list.split(",").map((item) => {
    const [, column = "", direction = "asc"] = /^(\w+)(?:\.(asc|desc))?$/.exec(item) ?? [];
    if (!table.order.includes(column)) throw notOffered("this order");
    return [column, direction] as const;
  });
  if (new Set(columns.map(([column]) => column)).size < columns.length) {
    throw notOffered("the same column twice");
  }
  return columns.map((each) => each.join(".")).join();
}

function parseCount(parameter: string, value: string): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) > MAX_COUNT) {
    throw new HttpError(400, "PGRST100", `"${parameter}" must be a whole number`);
  }
  return Number(value);
}

/**
 * Quotes the value, because the library guesses the type of an unquoted one: it reads `slug=eq.true` as a boolean and
 * `slug=eq.1e5` as 100000.
 */
function parseFilter(name: string, table: RestTable, column: string, filter: string): string {
  if (!/^\w+$/.test(column)) throw notOffered("this kind of filter");
  if (!Object.hasOwn(table.columns, column)) throw unknownColumn(name, column);
  const [, not = "", operator = "", value = ""] = /^(not\.)?([a-z]+)\.(.*)$/s.exec(filter) ?? [];
  const operators = Object.hasOwn(table.filters, column) ? table.filters[column] : undefined;
  const allowed = operators?.find((each) => each === operator);
  if (!allowed) throw notOffered("this filter");
  if (allowed === "is") {
    if (!["null", "true", "false"].includes(value)) throw notOffered("this filter");
    return `${not}is.${value}`;
  }
  if (not) throw notOffered("this filter");
  if (allowed === "in") {
    const values = parseList(value);
    return `in.(${values.map((each) => `"${each.replaceAll(/["\\]/g, "\\$&")}"`).join()})`;
  }
  checkLength(value);
  return `${allowed}."${value}"`;
}

/**
 * Parses `(a,"b,c")` as PostgREST does: a backslash escapes inside quotes only, spaces around the list are no part of it,
 * and a quote that does not end an element is a character like any other.
 */
function parseList(text: string): string[] {
  const items = /^\((.*)\)$/s.exec(text)?.[1]?.trim();
  if (items === undefined) throw malformedList();
  if (items === "") return [];
  const values: string[] = [];
  const element = /(?:"((?:[^"\\]|\\.)*)"(?=,|$)|([^,)]*))(,|$)/sy;
  for (let separator: string | undefined = ","; separator === ","; ) {
    const found = element.exec(items);
    if (!found) throw malformedList();
    const [, quoted, plain = ""] = found;
    values.push(quoted?.replaceAll(/\\(.)/gs, "$1") ?? plain);
    separator = found[3];
  }
  if (values.length > MAX_LIST_VALUES) throw notOffered(`more than ${MAX_LIST_VALUES} values`);
  for (const value of values) checkLength(value);
  return values;
}

function malformedList(): HttpError {
  return new HttpError(400, "PGRST100", "The list of values is malformed");
}

function checkLength(value: string): void {
  if (value.length > MAX_VALUE) throw notOffered(`values of more than ${MAX_VALUE} characters`);
}

/**
 * Checks the column names of the body. When rows are inserted together and only some have a column, the others get null
 * for it, as in PostgREST; the library would use the column's default.
 */
async function parseRows(request: Request, name: string, table: RestTable): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new HttpError(415, "PGRST102", "Content-Type must be application/json");
  }
  const body = await request.text();
  const values = parseJson(body);
  const rows: Record<string, unknown>[] = [];
  for (const row of Array.isArray(values) ? values : [values]) {
    if (!isObject(row)) throw new HttpError(400, "PGRST102", "Empty or invalid json");
    rows.push(row);
    const unknown = Object.keys(row).find((column) => !Object.hasOwn(table.columns, column));
    if (unknown !== undefined) {
      const message = `Could not find the '${unknown.slice(0, 63)}' column of '${name}' in the schema cache`;
      throw new HttpError(400, "PGRST204", message);
    }
  }
  const columns = new Set(rows.flatMap(Object.keys));
  if (rows.every((row) => Object.keys(row).length === columns.size)) return body;
  const missing = Object.fromEntries([...columns].map((column) => [column, null]));
  return JSON.stringify(rows.map((row) => ({ ...missing, ...row })));
}

/** Rejects halves of surrogate pairs, as PostgREST does. */
function parseJson(text: string): unknown {
  const isWhole = (each: unknown) => typeof each !== "string" || each.isWellFormed();
  try {
    return JSON.parse(text, (key, value) => {
      if (isWhole(key) && isWhole(value)) return value;
      throw new TypeError("Half a surrogate pair");
    });
  } catch {
    throw new HttpError(400, "PGRST102", "Empty or invalid json");
  }
}

function acceptOf(headers: Headers): string {
  const accepted = (headers.get("accept") ?? "*/*")
    .split(",")
    .map((type) => type.split(";")[0]?.trim());
  if (accepted.includes(OBJECT)) return OBJECT;
  if (accepted.some((type) => type === JSON_TYPE || type === "*/*" || type === "application/*")) {
    return JSON_TYPE;
  }
  throw new HttpError(406, "PGRST107", "None of these media types are available");
}

function checkSchema(headers: Headers): void {
  for (const name of ["accept-profile", "content-profile"]) {
    if ((headers.get(name) ?? "public") !== "public") {
      throw new HttpError(406, "PGRST106", "The schema must be one of the following: public");
    }
  }
}

/** Rejects a part of the query that PostgREST may support, but this backend does not. */
function notOffered(what: string): HttpError {
  return new HttpError(400, "PGRST100", `This API does not offer ${what}`);
}

function unsupportedMethod(method: string): HttpError {
  return new HttpError(405, "PGRST117", `Unsupported HTTP method: ${method}`);
}

function unknownColumn(table: string, column: string): HttpError {
  return new HttpError(400, "42703", `column ${table}.${column.slice(0, 63)} does not exist`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function build(
  { url, method, headers, signal }: Request,
  path: string,
  search: Query["search"],
  accept: string,
  preferences: readonly string[],
  body: string | null,
): Request {
  const target = new URL(`/rest/v1/${path}`, url);
  target.search = new URLSearchParams(search).toString();
  const sent = new Headers({ accept });
  for (const name of ["apikey", "authorization"]) {
    const value = headers.get(name);
    if (value !== null) sent.set(name, value);
  }
  if (preferences.length > 0) sent.set("prefer", preferences.join(", "));
  if (body !== null) sent.set("content-type", JSON_TYPE);
  return new Request(target, { method, headers: sent, signal, body });
}

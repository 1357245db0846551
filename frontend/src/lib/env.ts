/** Base path of the gateway's JSON calls. The gateway serves page and calls from one origin, so a path is enough. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? "/api";

/** Timeout of every call, from the specification. */
export const REQUEST_TIMEOUT_MS = 20_000;

/** Timeout of a token refresh. Two attempts must fit into the 30 s in which the server accepts a repeated refresh. */
export const REFRESH_TIMEOUT_MS = 8_000;

/** The support and data-protection address that the legal texts name. */
export const CONTACT_EMAIL: string = import.meta.env.VITE_CONTACT_EMAIL ?? "support@playon.example";

/** The version label in the side menu. */
export const VERSION = "2.0";

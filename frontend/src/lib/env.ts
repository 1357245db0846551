/** Where the gateway's JSON calls live; one origin serves page and calls, so a path is enough. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? "/api";

/** The spec's outer deadline of every call. */
export const REQUEST_TIMEOUT_MS = 20_000;

/** A renewal stands before a call that waits for it, and is tried twice within the server's 30 s for a repeat. */
export const REFRESH_TIMEOUT_MS = 8_000;

/** Where players reach a person: support, and requests about their data. The legal texts name it. */
export const CONTACT_EMAIL: string = import.meta.env.VITE_CONTACT_EMAIL ?? "support@playon.example";

/** The label the side menu carries. */
export const VERSION = "2.0";

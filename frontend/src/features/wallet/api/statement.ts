import { fetchFile } from "@/lib/http/download";

export type StatementFormat = "csv" | "pdf";

export interface StatementOrder {
  /** The first and the last day, as YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly format: StatementFormat;
}

export function fetchStatement(order: StatementOrder): Promise<Blob> {
  return fetchFile(`/wallets/statement?${new URLSearchParams({ ...order })}`);
}

import { ServerState } from "@/app/layouts/DataLayout";
import { Shell } from "@/app/layouts/ShellLayout";
import { Component as Home } from "./home";

/** Home at `/`, which stands outside the layouts so that the welcome need not load them. */
export default function GuestHome() {
  return (
    <ServerState>
      <Shell>
        <Home />
      </Shell>
    </ServerState>
  );
}

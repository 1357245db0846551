import { QueryProvider } from "@/app/layouts/DataLayout";
import { Shell } from "@/app/layouts/ShellLayout";
import { Component as Home } from "./home";

/** Home at `/`. It includes the layouts itself, so that the welcome does not load them. */
export default function GuestHome() {
  return (
    <QueryProvider>
      <Shell>
        <Home />
      </Shell>
    </QueryProvider>
  );
}

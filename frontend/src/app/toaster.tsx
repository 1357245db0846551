import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { ToastContainer, toast } from "react-toastify";
import "./toaster.css";

/** Mounts the toasts beside the app, so that no navigation takes them away: top right, two at most, 5 s. */
export function mountToaster() {
  const host = document.createElement("div");
  document.body.append(host);
  // At once: a toast raised before the container stands would be lost.
  flushSync(() => {
    createRoot(host).render(
      <ToastContainer
        position="top-right"
        limit={2}
        autoClose={5_000}
        newestOnTop
        pauseOnFocusLoss={false}
      />,
    );
  });
  return {
    show: (kind: "success" | "info" | "warning" | "error", message: string, options: object) =>
      toast[kind](message, options),
  };
}

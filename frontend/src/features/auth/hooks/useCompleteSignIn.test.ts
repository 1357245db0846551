import { expect, test, vi } from "vitest";
import { currentSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { completeSignIn } from "./useCompleteSignIn";

test("a new session has its push subscription to register, also when the one before was not cleared here", async () => {
  vi.spyOn(toast, "success").mockImplementation(() => {});
  stubGateway({ "GET /auth/login": () => ({ statusCode: 200, payload: aPlayer() }) });
  localStorage.setItem("fcmToken", "{}");
  localStorage.setItem("fcmTokenRegistered", `p1 en ${Date.now()}`);
  await completeSignIn({ session: aSession(), isNewUser: false });
  expect(currentSession()?.uid).toBe("p1");
  expect(localStorage.getItem("fcmTokenRegistered")).toBeNull();
  expect(localStorage.getItem("fcmToken")).toBe("{}");
});

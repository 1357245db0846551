import { afterEach, expect, test, vi } from "vitest";
import { provideToaster, toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";

const silentToaster = { show: () => {}, clearErrors: () => {} };

afterEach(() => provideToaster(async () => silentToaster));

test("toast code that failed to load is requested again by the next toast", async () => {
  const show = vi.fn();
  const load = vi.fn().mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValue({ show });
  provideToaster(load);
  toast.error("lost");
  await eventually(() => expect(load).toHaveBeenCalledOnce());
  await eventually(() => {
    toast.error("said");
    expect(show).toHaveBeenCalledWith("error", "said");
  });
  expect(load).toHaveBeenCalledTimes(2);
});

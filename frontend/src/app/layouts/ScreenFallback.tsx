import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { TabLayout } from "@/app/layouts/TabBar";
import { paths } from "@/app/paths";
import { isChunkError } from "@/lib/chunk";
import { t } from "@/lib/i18n/i18n";
import { Crash } from "@/ui/Crash";
import type { FallbackProps } from "@/ui/Lazy";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";

const TABS: readonly string[] = [paths.home, paths.dashboard, paths.notifications, paths.account];

interface FrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** The frame of the page's screen: the tab bar, or the header with the back arrow. */
function Frame({ title, children }: FrameProps) {
  const { pathname } = useLocation();
  if (TABS.includes(pathname)) {
    return (
      <TabLayout>
        <Screen title={title}>{children}</Screen>
      </TabLayout>
    );
  }
  return (
    <Screen title={title} back={paths.home}>
      {children}
    </Screen>
  );
}

/** Stands in for a screen whose code is loading, failed to load, or crashed. The way back and the tabs stay. */
export function ScreenFallback({ error, onRetry }: Omit<FallbackProps<object>, "of">) {
  const { pathname } = useLocation();
  if (!error) {
    return (
      <Frame title={t("ui.loading")}>
        <Skeleton height={148} radius={20} />
        <Skeleton height={64} radius={16} />
        <Skeleton height={64} radius={16} />
        <Skeleton height={64} radius={16} />
      </Frame>
    );
  }
  return (
    <Frame title={t(isChunkError(error) ? "fault.chunk.page" : "fault.page")}>
      <Crash
        error={error}
        onRetry={onRetry}
        note={pathname === paths.waiting ? t("fault.payment") : undefined}
      />
    </Frame>
  );
}

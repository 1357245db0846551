import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { chatPaths } from "@/app/chatPaths";
import { privacy, terms } from "@/app/locales/legal.en";
import { paths } from "@/app/paths";
import { HomeSkeleton } from "@/app/routes/home-skeleton";
import { Legal } from "@/app/routes/legal";
import { LoginSkeleton } from "@/app/routes/login-skeleton";
import { WalletSkeleton } from "@/app/routes/wallet-skeleton";
import { Welcome } from "@/app/routes/welcome";
import { textsByPath } from "@/app/texts";
import { tournamentPaths } from "@/app/tournamentPaths";
import { RoomListSkeleton } from "@/features/chat/RoomList";
import { RoomSkeleton } from "@/features/chat/RoomSkeleton";
import { BoardSkeleton } from "@/features/tournament/LeaderboardSkeleton";
import { TournamentListSkeleton } from "@/features/tournament/TournamentList";
import { addTexts, type CatalogueName, t } from "@/lib/i18n/i18n";
import { Loading } from "@/ui/Listing";
import { Screen } from "@/ui/Screen";

type Catalogue = { readonly texts: Parameters<typeof addTexts>[1] };

// The build has no player and no language: the pages are in English, until the player's own texts have loaded.
const catalogues = import.meta.glob<Catalogue>(
  ["/src/app/locales/{en,first.en}.ts", "/src/{lib,ui}/locales/en.ts", "/src/features/*/locales/en.ts"],
  { eager: true },
);
for (const { texts } of Object.values(catalogues)) addTexts("en", texts);

interface StaticPage {
  /** The page's path, in which `:id` stands for any id. */
  readonly path: string;
  readonly title: string;
  readonly html: string;
  /** The source files of the screen and its layouts. */
  readonly sources: readonly string[];
  /** The catalogues of the screen and its layouts. */
  readonly texts: readonly CatalogueName[];
  /** Whether the page needs no code: it has no sentence about code that does not start. */
  readonly isWhole: boolean;
}

const render = (path: string, content: ReactNode) =>
  renderToStaticMarkup(<MemoryRouter initialEntries={[path]}>{content}</MemoryRouter>);

function page(path: string, title: string, content: ReactNode, sources: readonly string[]): StaticPage {
  const own = textsByPath[path];
  return {
    path,
    title: t("app.pageTitle", { title }),
    html: render(path, content),
    sources,
    texts: own ? ["app", ...own] : [],
    isWhole: path === paths.privacy || path === paths.terms,
  };
}

/** The welcome, which index.html holds beside the splash, because index.html opens other pages, too. */
export const welcome = (): string => render(paths.home, <Welcome />);

const ROUTES = "src/app/routes";
/** A group of `tools/chunks.ts`. */
const DATA = ["data"];
const SHELL = [...DATA, "src/app/layouts/ShellLayout.tsx"];

/**
 * The pages that the build writes as HTML, so that it can be read before any script has run: the legal texts in full, and the
 * still parts of the screens that most visits begin with. `tools/prerender.mjs` calls it.
 */
export function staticPages(): StaticPage[] {
  return [
    page(paths.privacy, privacy.title, <Legal title={privacy.title} text={privacy} language="en" />, [
      `${ROUTES}/privacy.tsx`,
    ]),
    page(paths.terms, terms.title, <Legal title={terms.title} text={terms} language="en" />, [
      `${ROUTES}/terms.tsx`,
    ]),
    page(paths.login, t("auth.pageTitle"), <LoginSkeleton mode="signIn" />, [...DATA, `${ROUTES}/login.tsx`]),
    page(paths.register, t("auth.pageTitle"), <LoginSkeleton mode="signUp" />, [
      ...DATA,
      `${ROUTES}/login.tsx`,
    ]),
    page(paths.dashboard, t("ui.home"), <HomeSkeleton />, [...SHELL, `${ROUTES}/home.tsx`]),
    page(paths.wallet, t("wallet.title"), <WalletSkeleton />, [...SHELL, `${ROUTES}/wallet.tsx`]),
    page(
      paths.tournaments,
      t("tournaments.title"),
      <Screen title={t("tournaments.title")} back={paths.dashboard} wide>
        <Loading>
          <TournamentListSkeleton />
        </Loading>
      </Screen>,
      [...SHELL, `${ROUTES}/tournaments.tsx`],
    ),
    page(tournamentPaths.board, t("board.title"), <BoardSkeleton onBack={() => {}} />, [
      ...SHELL,
      `${ROUTES}/leaderboard.tsx`,
    ]),
    page(
      paths.chatRooms,
      t("chat.title"),
      <Screen title={t("chat.title")} back={paths.dashboard}>
        <p>{t("chat.intro")}</p>
        <Loading>
          <RoomListSkeleton />
        </Loading>
      </Screen>,
      [...SHELL, `${ROUTES}/chat-rooms.tsx`],
    ),
    page(chatPaths.room, t("chat.title"), <RoomSkeleton />, [...SHELL, `${ROUTES}/chat-room.tsx`]),
  ];
}

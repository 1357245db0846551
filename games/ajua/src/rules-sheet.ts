import type { Language } from "../../sdk/types";

interface Page {
  open: string;
  close: string;
  title: string;
  lines: [string, string][];
  source: string;
}

const PAGES: Record<Language, Page> = {
  en: {
    open: "Rules of Ajua",
    close: "Close",
    title: "How Ajua is played here",
    lines: [
      [
        "Sow",
        "Take all the seeds of one of your pits, on the right. They fall one by one into the next pits, up your row and down your opponent's.",
      ],
      ["Go on", "If the last seed falls among others, the whole pit is sown on, at most 12 times in a turn."],
      [
        "Catch",
        "If the last seed falls into an empty pit of yours, you catch it with all the seeds of the pit across. In your opponent's empty pit it just sleeps.",
      ],
      [
        "Win",
        "There are 64 seeds: 33 win. Who has no seed left to sow ends the game, and the other takes the rest. After 24 turns without a catch, or 60 moves, each takes their own row.",
      ],
      [
        "Points",
        "Each seed you catch is worth 10 points against Kobe, 20 against Fisi, 30 against Sungura. A win adds as much for each seed of your lead, and for each move under 30.",
      ],
    ],
    source:
      "Ajua is the Luo name of the game and its seeds, played in Kenya on two rows of eight. These are the rules of Endodoi, the Maasai game of the same family, with four seeds a pit (sources: Wikipedia, 'Endodoi'; Board and Pieces, 'Endodoi'). As in Ajua, the rows are rearranged before the start, here by the run itself and the same for both. The limits of laps and turns are ours.",
  },
  sw: {
    open: "Sheria za Ajua",
    close: "Funga",
    title: "Ajua inavyochezwa hapa",
    lines: [
      [
        "Panda",
        "Chukua mbegu zote za shimo lako moja, upande wa kulia. Zinaanguka moja moja kwenye mashimo yanayofuata, kupanda safu yako na kushuka ya mpinzani.",
      ],
      [
        "Endelea",
        "Mbegu ya mwisho ikiangukia kati ya nyingine, shimo zima linapandwa tena, mara 12 tu kwa zamu.",
      ],
      [
        "Kamata",
        "Mbegu ya mwisho ikiangukia shimo lako tupu, unaikamata pamoja na mbegu zote za shimo la mkabala. Kwenye shimo tupu la mpinzani inalala tu.",
      ],
      [
        "Shinda",
        "Kuna mbegu 64: 33 zinashinda. Asiye na mbegu ya kupanda anamaliza mchezo, na mwenzake anachukua zilizobaki. Baada ya zamu 24 bila kukamata, au hatua 60, kila mmoja anachukua safu yake.",
      ],
      [
        "Alama",
        "Kila mbegu unayokamata ni alama 10 dhidi ya Kobe, 20 dhidi ya Fisi, 30 dhidi ya Sungura. Ushindi unaongeza kiasi hicho kwa kila mbegu ya uongozi wako, na kwa kila hatua chini ya 30.",
      ],
    ],
    source:
      "Ajua ni jina la Kijaluo la mchezo huu na mbegu zake, unaochezwa Kenya kwenye safu mbili za mashimo manane. Hizi ni sheria za Endodoi, mchezo wa Wamaasai wa familia hiyo hiyo, mbegu nne kwa shimo (vyanzo: Wikipedia, 'Endodoi'; Board and Pieces, 'Endodoi'). Kama kwenye Ajua, safu hupangwa upya kabla ya kuanza, hapa kwa pamoja na sawa kwa wote. Kikomo cha mizunguko na zamu ni chetu.",
  },
};

/** The rules, the variant and its source, behind a round button beside the board. */
export class RulesSheet {
  private readonly button = document.createElement("button");
  private readonly dialog = document.createElement("dialog");

  constructor(root: HTMLElement, opened: (open: boolean) => void) {
    const { button, dialog } = this;
    button.type = "button";
    button.className = "ask";
    button.textContent = "?";
    dialog.className = "rules";
    dialog.tabIndex = -1;
    dialog.addEventListener("close", () => opened(false));
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    button.addEventListener("click", () => {
      opened(true);
      dialog.showModal();
      // Scroll up, because focusing the button at the end would open the sheet there.
      dialog.scrollTop = 0;
      dialog.focus({ preventScroll: true });
    });
    root.append(button, dialog);
  }

  /** Renders the texts again, in the current language. */
  speak(language: Language): void {
    const page = PAGES[language];
    const { button, dialog } = this;
    button.setAttribute("aria-label", page.open);
    dialog.setAttribute("aria-label", page.title);
    const title = document.createElement("h2");
    title.textContent = page.title;
    const list = document.createElement("dl");
    for (const [term, text] of page.lines) {
      const name = document.createElement("dt");
      name.textContent = term;
      const meaning = document.createElement("dd");
      meaning.textContent = text;
      list.append(name, meaning);
    }
    const source = document.createElement("p");
    source.textContent = page.source;
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = page.close;
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(title, list, source, close);
  }
}

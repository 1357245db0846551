/** The legal texts in English, which are the binding ones. Only their own screens load them. */
export const texts = {};

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    legal: typeof texts;
  }
}

/** A paragraph, or the items of a list. {contact} is replaced by the contact address; <en>words</en> are in English. */
export type Passage = string | readonly string[];

export interface LegalText {
  readonly title: string;
  readonly updated?: string;
  readonly summary: string;
  /** The title of the table of contents. */
  readonly contents: string;
  /** The id is part of shared links, so it stays when the title changes. */
  readonly chapters: readonly {
    readonly id: string;
    readonly title: string;
    readonly passages: readonly Passage[];
  }[];
}

/** The texts that a translation adds. */
export interface LegalTranslation {
  /** Says which of the two texts is binding. */
  readonly note: string;
  /** The label of the button that shows the binding text. */
  readonly toEnglish: string;
  readonly toTranslation: string;
}

export const privacy: LegalText = {
  title: "Privacy Policy",
  updated: "Last updated 26 July 2019",
  summary: "What PlayOn knows about you, how we use it, who else can see it, and what you can ask us to do.",
  contents: "Contents",
  chapters: [
    {
      id: "who-we-are",
      title: "Who we are",
      passages: [
        "PlayOn is run by a social gaming company. In this policy “we” means that company. We decide why and how your personal data is used, so in law we are the data controller.",
      ],
    },
    {
      id: "adults",
      title: "Only for adults",
      passages: [
        "You must be 18 or older to use PlayOn. We ask for your date of birth and do not accept anyone younger. If you think a child is using PlayOn, please tell us and we will close the account.",
      ],
    },
    {
      id: "what-we-collect",
      title: "What we collect",
      passages: [
        "What you give us:",
        [
          "Your profile: name, username, email, date of birth, gender, phone number, picture, country and preferred currency.",
          "How you sign in: your email and a password, your phone number, or your Google or Facebook account. Google and Facebook give us your name, your email and an id, but never your password.",
          "What you write: messages and files in chat rooms, and what you send to our support team.",
          "A friend's referral code, if you enter one.",
        ],
        "What we collect when you use PlayOn:",
        [
          "The games you play, your points, your tournaments and awards.",
          "Every wallet transaction: amount, time, receipt, and the phone number that paid or was paid. We never see your M-Pesa PIN or your full card number.",
          "Technical data: your device's IP address, when the app contacted us and whether that failed, how quickly pages loaded, and your browser's push address if you allow push messages.",
        ],
      ],
    },
    {
      id: "why",
      title: "Why we use it",
      passages: [
        [
          "To provide what you signed up for: your account, games, tournaments, chat rooms and your wallet.",
          "To meet our legal duties, such as keeping records of payments and letting only adults play.",
          "To keep PlayOn fair and safe: to stop hacking, cheating and fraud, and to find and fix faults.",
          "With your consent, to send push messages. You can withdraw your consent at any time in your phone's settings.",
          "To pay for PlayOn through advertising, as described below.",
        ],
        "A score that looks wrong may be put under review automatically. You can ask for a person to check it.",
      ],
    },
    {
      id: "who-sees-it",
      title: "Who else sees it",
      passages: [
        [
          "Other players see your username, your picture, your points and awards, and what you write in a chat room. They do not see your email, phone number, date of birth or wallet.",
          "Payment providers, such as M-Pesa and card processors, receive what they need to move your money.",
          "The companies that deliver our SMS, emails and push messages receive your number or address and the message.",
          "Courts and public authorities, when the law requires it.",
        ],
        "If any of them handles your data outside Kenya, we make sure that it is protected as the law requires.",
      ],
    },
    {
      id: "advertisers",
      title: "Advertisers",
      passages: [
        "Data may be shared with advertisers, so that the adverts you see are relevant to you. You can object at any time: write to our data-protection contact and we will stop sharing your data.",
      ],
    },
    {
      id: "on-your-phone",
      title: "What is stored on your phone",
      passages: [
        "In your browser PlayOn stores your sign-in, your profile, the app itself so that it opens without internet, and a referral code if you came through a friend's link. Logging out removes your sign-in, your profile and the referral code. We set three cookies, which no other site can read: one keeps you signed in, until you close the browser or, if you choose, for 30 days; one marks this browser as a device of yours, for 400 days, so that strangers cannot use up your limits, and so that cash prizes go to different people; and one lasts at most ten minutes, while you sign in with Google or Facebook.",
      ],
    },
    {
      id: "how-long",
      title: "How long we keep it",
      passages: [
        "We keep your data for as long as you have an account. When you delete your account, other players stop seeing you at once, and your personal details and your messages in chat rooms are erased after 30 days unless you sign in again before then. A message that was reported to us, or that we hid, stays for up to a year, as evidence.",
        "Our payment records remain, without your name, because the law requires us to keep them.",
      ],
    },
    {
      id: "how-protected",
      title: "How we protect it",
      passages: [
        "Everything sent between your phone and us is encrypted. Passwords and codes are stored as hashes, which cannot be read back. Only staff who need your data for their work can access it. If your data is ever lost or stolen in a way that could harm you, we will inform you and the Data Commissioner.",
      ],
    },
    {
      id: "your-rights",
      title: "Your rights",
      passages: [
        "Kenyan law gives you the right to:",
        [
          "be informed how your data is used, which is the purpose of this policy;",
          "get access to the data we hold about you, and a copy to take elsewhere;",
          "have false or misleading data corrected;",
          "have data deleted that is false or misleading, or that we no longer need;",
          "object to the use of all or part of your data, especially for advertising;",
          "not be subject to important decisions made by a computer alone;",
          "withdraw a consent that you gave.",
        ],
        "All of this is free.",
      ],
    },
    {
      id: "requests",
      title: "How to ask",
      passages: [
        "You can correct your details and delete your account yourself, on the Profile screen.",
        "For everything else, including access and deletion requests, write to our support or data-protection contact: {contact}. We may ask you to prove that the account is yours before we answer.",
        "If you are not happy with our answer, you can complain to the Office of the Data Protection Commissioner of Kenya.",
      ],
    },
    {
      id: "changes",
      title: "Changes",
      passages: [
        "When we change this policy, we change the date at the top. If a change affects you, we will let you know in the app before it applies.",
      ],
    },
  ],
};

export const terms: LegalText = {
  title: "Terms of Service",
  summary:
    "The agreement between you and the social gaming company that runs PlayOn. By using PlayOn you accept these terms.",
  contents: "Contents",
  chapters: [
    {
      id: "who-may-play",
      title: "Who may play",
      passages: [
        "You must be 18 or older. PlayOn is made for players in Kenya. If you use it elsewhere, you are responsible for following the law there.",
      ],
    },
    {
      id: "your-account",
      title: "Your account",
      passages: [
        [
          "Each person may have one account, with their true details.",
          "Never share your password or codes with anyone. We will never ask for them, or for your M-Pesa PIN.",
          "You are responsible for what happens on your account. If you think someone else is using it, sign out everywhere from the Account screen, change your password, and contact us.",
          "A username must not insult, mislead or impersonate anyone.",
        ],
      ],
    },
    {
      id: "fair-play",
      title: "Fair play",
      passages: [
        "PlayOn offers games of skill. We remove scores made by bots, by several accounts of one player, by modified games or by agreement between players, and we withhold awards won with them. If your score is under review, you will see that.",
      ],
    },
    {
      id: "tournaments",
      title: "Tournaments and awards",
      passages: [
        "A tournament counts each player's best score between its start and its end. If scores are equal, the player who reached the score first ranks higher. Awards depend on your rank and on the package you hold when your best run begins, as shown on its leaderboard. Cash awards are paid into your wallet after the results have been checked.",
      ],
    },
    {
      id: "wallet",
      title: "Your wallet",
      passages: [
        [
          "Amounts are in Kenya shillings. Choosing another preferred currency does not change any amount.",
          "A top up reaches your wallet when the payment provider confirms it. You are charged once, even if you tap Pay several times.",
          "You see limits and fees before you confirm. A withdrawal and its fee are put on hold until the provider confirms the result. If it fails, the money returns to your wallet.",
          "A boost sends money to a friend's wallet and cannot be reversed.",
          "Your wallet is not a bank account and does not earn interest.",
        ],
        "If a transaction looks wrong, contact our support with the receipt from your wallet.",
      ],
    },
    {
      id: "subscriptions",
      title: "Subscriptions",
      passages: [
        "A package lasts 24 hours from the moment its payment succeeds and does not renew automatically. Buying it again before it expires adds 24 hours. You can use airtime for the Bronze package only.",
      ],
    },
    {
      id: "chat",
      title: "Chat rooms",
      passages: [
        "Be respectful. Do not send anything that is unlawful, threatening, abusive or deceptive, or that belongs to someone else. We may remove messages, and members who break this rule. What you send remains yours, and you allow us to show it to the members of the room.",
      ],
    },
    {
      id: "ours",
      title: "Our content",
      passages: [
        "The games, artwork, texts and the name PlayOn belong to us or to those who license them to us. You may use them to play. For anything else you need our consent.",
      ],
    },
    {
      id: "linking",
      title: "Linking to us",
      passages: [
        "You may share your own referral link freely. An organisation that wants to link to PlayOn must first ask our support contact, saying who it is, which of its pages would carry the link, and where the link would lead. Approval takes 2 to 3 weeks. A link must not mislead or suggest that we endorse the page it is on.",
      ],
    },
    {
      id: "advertising",
      title: "Advertising and your data",
      passages: [
        "PlayOn may show advertising, and data may be shared with advertisers. Our Privacy Policy explains what that means, how to object, and how to ask for access to your data or for its deletion.",
      ],
    },
    {
      id: "ending",
      title: "Ending your account",
      passages: [
        "You can delete your account at any time on the Profile screen. Your wallet and your personal details will then be permanently lost, so withdraw your money first. If you change your mind, sign in again within 30 days.",
        "We may suspend or close an account that breaks these terms or the law. We will explain why, unless the law forbids it, and you can ask our support to review the decision.",
      ],
    },
    {
      id: "liability",
      title: "Our liability",
      passages: [
        "We do our best to keep PlayOn running correctly, but we cannot promise that it always will: networks, phones and payment providers can fail. We are not liable for losses that we did not cause or could not foresee. Nothing in these terms takes away your rights as a consumer under Kenyan law.",
      ],
    },
    {
      id: "changes",
      title: "Changes to these terms",
      passages: [
        "We may change these terms and will let you know in the app when we do. If you keep playing after a change applies, you accept it. If you do not accept it, you can delete your account.",
      ],
    },
    {
      id: "law",
      title: "Law and contact",
      passages: [
        "These terms are governed by the law of Kenya. If you have a complaint, please talk to us first: write to {contact}.",
      ],
    },
  ],
};

/** The legal texts in English, loaded with their own screens only. */

/** A paragraph, or the items of a list. {contact} is replaced by the contact address. */
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

export const privacy: LegalText = {
  title: "Privacy Policy",
  updated: "Last updated 26 July 2019",
  summary:
    "What PlayOn knows about you, what we do with it, who else gets to see it, and what you can ask of us.",
  contents: "Contents",
  chapters: [
    {
      id: "who-we-are",
      title: "Who we are",
      passages: [
        "PlayOn is run by a social gaming company. In this policy “we” means that company. We decide why and how your personal data is used, which makes us what the law calls the data controller.",
      ],
    },
    {
      id: "adults",
      title: "Only for adults",
      passages: [
        "You must be 18 or older to use PlayOn. We ask for your date of birth and refuse the profile of anyone younger. If you believe that a child uses PlayOn, please tell us and we will close the account.",
      ],
    },
    {
      id: "what-we-collect",
      title: "What we collect",
      passages: [
        "What you give us:",
        [
          "Your profile: name, username, email, date of birth, gender, phone number, picture, country and preferred currency.",
          "How you sign in: your email and a password, your phone number, or your Google or Facebook account. Of Google and Facebook we receive your name, your email and an id, never your password there.",
          "What you write: messages and files in chat rooms, and what you send to our support.",
          "A friend's referral code, if you enter one.",
        ],
        "What comes from using PlayOn:",
        [
          "The games you play, your points, your tournaments and awards.",
          "Every movement of your wallet: amount, time, receipt, and the phone number that was paid from or to. We never see your M-Pesa PIN or your full card number.",
          "Technical data: your device's internet address, when calls were made and whether they failed, how quickly pages loaded, and the address that push messages go to if you allow them.",
        ],
      ],
    },
    {
      id: "why",
      title: "Why we use it",
      passages: [
        [
          "To give you what you signed up for: your account, games, tournaments, chat rooms and your wallet.",
          "To meet our duties under the law, such as keeping accounts of the money we move and letting only adults play.",
          "To keep PlayOn fair and safe: to stop break-ins, cheating and fraud, and to find and mend faults.",
          "With your consent, for push messages. You can take it back at any time in your phone's settings.",
          "To pay for PlayOn through advertising, as described below.",
        ],
        "A score that looks wrong may be held back automatically. You can ask that a person looks at it.",
      ],
    },
    {
      id: "who-sees-it",
      title: "Who else sees it",
      passages: [
        [
          "Other players see your username, your picture, your points and awards, and what you write in a chat room. They do not see your email, phone number, date of birth or wallet.",
          "Payment providers, such as M-Pesa and card processors, receive what they need to move your money.",
          "The companies that carry our text messages, emails and push messages receive your number or address and the message.",
          "Courts and public authorities, when the law obliges us.",
        ],
        "If any of them handles your data outside Kenya, we see to it that it is protected there as the law demands.",
      ],
    },
    {
      id: "advertisers",
      title: "Advertisers",
      passages: [
        "Data may be shared with advertisers, so that what they show fits those who see it. You may object to this at any time: write to our data-protection contact, and we stop sharing yours.",
      ],
    },
    {
      id: "on-your-phone",
      title: "What is kept on your phone",
      passages: [
        "PlayOn keeps in your browser that you are signed in, your profile as you last saw it, the app itself so that it opens without a line, and a referral code if you came by a friend's link. Logging out empties it. We set one cookie, for at most ten minutes, while you sign in with Google or Facebook.",
      ],
    },
    {
      id: "how-long",
      title: "How long we keep it",
      passages: [
        "We keep your data as long as you have an account. When you delete it, other players stop seeing you at once, and your personal details are erased after 30 days, unless you sign in again before that.",
        "The entries of our accounts stay, without your name, because the law asks us to keep them.",
      ],
    },
    {
      id: "how-protected",
      title: "How we protect it",
      passages: [
        "Everything between your phone and us is encrypted on the way. Passwords and codes are kept in a form from which they cannot be read back. Only those who need your data for their work can reach it. Should it ever be lost or fall into wrong hands in a way that can harm you, we tell you and the Data Commissioner.",
      ],
    },
    {
      id: "your-rights",
      title: "Your rights",
      passages: [
        "The law of Kenya gives you the right to:",
        [
          "be told what your data is used for, which is what this policy is for;",
          "get access to the data we hold about you, and a copy to take elsewhere;",
          "have data corrected that is false or misleading;",
          "have data deleted that is false or misleading, or that we no longer have a reason to keep;",
          "object to the use of all or part of your data, advertising above all;",
          "not be judged by a machine alone where it matters to you;",
          "take back a consent that you gave.",
        ],
        "None of this costs you anything.",
      ],
    },
    {
      id: "requests",
      title: "How to ask",
      passages: [
        "You can correct your details and delete your account yourself, on the Profile screen.",
        "For everything else, requests for access and for deletion included, write to our support or data-protection contact: {contact}. We may ask you to show that the account is yours before we answer.",
        "If our answer does not satisfy you, you can complain to the Office of the Data Protection Commissioner of Kenya.",
      ],
    },
    {
      id: "changes",
      title: "Changes",
      passages: [
        "When this policy changes, the date at its top changes with it. If a change matters to you, we tell you in the app before it applies.",
      ],
    },
  ],
};

export const terms: LegalText = {
  title: "Terms of Service",
  summary:
    "The rules between you and the social gaming company that runs PlayOn. By using PlayOn you accept them.",
  contents: "Contents",
  chapters: [
    {
      id: "who-may-play",
      title: "Who may play",
      passages: [
        "You must be 18 or older. PlayOn is made for players in Kenya; if you use it elsewhere, you answer for doing so lawfully.",
      ],
    },
    {
      id: "your-account",
      title: "Your account",
      passages: [
        [
          "One person has one account, and gives true details of themselves.",
          "Keep your password and your codes to yourself. We never ask for them, nor for your M-Pesa PIN.",
          "You answer for what is done with your account. If you think that somebody else uses it, sign out everywhere from the Account screen, change your password, and tell us.",
          "A username must not insult, mislead, or pose as somebody else.",
        ],
      ],
    },
    {
      id: "fair-play",
      title: "Playing fair",
      passages: [
        "PlayOn offers games of skill. Scores made by machines, by several accounts of one player, by changed games or by agreement between players are removed, and awards won with them are withheld. A score under review is shown to you as such.",
      ],
    },
    {
      id: "tournaments",
      title: "Tournaments and awards",
      passages: [
        "A tournament counts the best score that each player reaches between its start and its end. Of equal scores, the one that was reached first is ahead. Awards depend on your place and on the package you hold when the tournament ends, as its leaderboard shows. A cash award is paid into your wallet once the results have been checked.",
      ],
    },
    {
      id: "wallet",
      title: "Your wallet",
      passages: [
        [
          "Amounts are in Kenya shillings. Another preferred currency changes no amount.",
          "A top up reaches your wallet when the payment provider confirms it. A payment is made once, however often it was pressed.",
          "Limits and fees are shown before you confirm. A withdrawal and its fee are set aside until the provider says how it ended; if it fails, you have them back.",
          "A boost puts money into a friend's wallet and cannot be taken back.",
          "A wallet is no bank account and bears no interest.",
        ],
        "If a movement looks wrong, tell our support, with the receipt that your wallet shows.",
      ],
    },
    {
      id: "subscriptions",
      title: "Subscriptions",
      passages: [
        "A package runs for 24 hours from the moment its payment succeeded and does not renew itself. Buying it again while it runs adds 24 hours. Airtime pays for the Bronze package only.",
      ],
    },
    {
      id: "chat",
      title: "Chat rooms",
      passages: [
        "Be decent. Nothing that is unlawful, threatens, harasses, deceives or belongs to somebody else may be sent. We may remove messages, and members who do not keep to this. What you send stays yours; you allow us to show it to the members of the room.",
      ],
    },
    {
      id: "ours",
      title: "What is ours",
      passages: [
        "The games, drawings, texts and the name PlayOn belong to us or to those who let us use them. You may use them to play, and for nothing else without our consent.",
      ],
    },
    {
      id: "linking",
      title: "Linking to us",
      passages: [
        "You may share your own referral link freely. Organisations that want to link to PlayOn ask our support contact first, saying who they are, from which pages they would link, and to which. Approval takes 2 to 3 weeks. A link must not mislead, nor suggest that we stand behind what it stands beside.",
      ],
    },
    {
      id: "advertising",
      title: "Advertising and your data",
      passages: [
        "PlayOn may show advertising, and data may be shared with advertisers. What that means, and how to object, stands in our Privacy Policy, together with the way to ask for access to your data or for its deletion.",
      ],
    },
    {
      id: "ending",
      title: "Ending your account",
      passages: [
        "You can delete your account at any time on the Profile screen. Your wallet and your personal details are then permanently lost, so withdraw your money first. Within 30 days you can change your mind by signing in.",
        "We may suspend or close an account that breaks these terms or the law. We tell you why, unless the law forbids it, and you can ask our support to look at it again.",
      ],
    },
    {
      id: "liability",
      title: "What we answer for",
      passages: [
        "We do our best to keep PlayOn running and right, but cannot promise that it always is: lines, phones and payment providers fail. We are not liable for losses that we did not cause or could not foresee. Nothing here takes away a right that the law of Kenya gives you as a consumer.",
      ],
    },
    {
      id: "changes",
      title: "Changes to these terms",
      passages: [
        "We may change these terms, and tell you in the app when we do. If you go on playing after a change applies, you accept it; if you do not want to, you can delete your account.",
      ],
    },
    {
      id: "law",
      title: "Law and contact",
      passages: [
        "These terms follow the law of Kenya. If we disagree, let us talk first: write to {contact}.",
      ],
    },
  ],
};

/** The legal texts in English: loaded with their own screens, being long and seldom read. */
export const privacy = {
  title: "Privacy Policy",
  updated: "Last updated 26 July 2019",
  sections: [
    {
      title: "Who we are",
      text: "PlayOn is run by a social gaming company. This page says what we know about you, what we do with it, and what you can ask of us.",
    },
    {
      title: "Who may play",
      text: "Players must be 18 or older. We ask for your date of birth and refuse an account to anyone younger.",
    },
    {
      title: "What we keep",
      text: "The details of your profile, the games you play and the points you make, your messages in chat rooms, and every movement of your wallet with the phone number it was paid from or to.",
    },
    {
      title: "What we share",
      text: "Your username, picture and points are shown to other players. Data may be shared with advertisers. Payment providers receive what they need to move your money.",
    },
    {
      title: "What you can ask for",
      text: "You may ask for a copy of your data or for its deletion. Send the request to our support or data-protection contact. Ledger entries stay, without your name, because the law asks us to keep accounts.",
    },
  ],
} as const;

export const terms = {
  title: "Terms of Service",
  sections: [
    {
      title: "Playing fair",
      text: "PlayOn offers games of skill. Scores made by machines, by several accounts of one player or by agreement between players are removed, and prizes won with them are withheld.",
    },
    {
      title: "Your account",
      text: "Players must be 18 or older. You have one account, keep its password to yourself, and answer for what is done with it.",
    },
    {
      title: "Your wallet",
      text: "Amounts are in Kenya shillings. A top up reaches the wallet when the payment provider confirms it. A payment is made once, however often it was pressed.",
    },
    {
      title: "Chat rooms",
      text: "Be decent. We may remove messages and members that are not.",
    },
    {
      title: "Linking to us",
      text: "Organisations that want to link to PlayOn ask our support contact first. Allow 2 to 3 weeks for approval of a link.",
    },
    {
      title: "Changes",
      text: "We may change these terms. Those who go on playing after a change accept it.",
    },
  ],
} as const;

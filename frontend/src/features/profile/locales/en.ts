export const texts = {
  "picture.change": "Change your picture",
  "picture.uploading": "Uploading your picture",
  "picture.uploaded": "Upload successful.",
  "picture.tooLarge": "File size cannot exceed 10MB",
  "picture.unsupported": "We cannot read that file. Please choose a JPEG, PNG, WebP or GIF picture.",

  "profile.title": "Profile",
  "profile.name": "Name",
  "profile.username": "Username",
  "profile.email": "Email",
  "profile.dob": "Date of birth",
  "profile.gender": "Gender",
  "profile.phone": "Phone Number",
  "profile.unset": "Not set. Click to set.",
  "profile.unsetNumber": "Enter number.",
  "profile.edit": "Edit {field}",
  "profile.okay": "Okay",
  "profile.updated": "Your {field} was updated successfully.",
  "profile.missing": {
    one: "Just one detail left before you can play.",
    other: "{count} details left before you can play.",
  },
  "profile.done": "All set. Let's play!",
  "profile.continue": "Continue",
  "profile.complete": "Complete your profile",
  "profile.name.required": "Please enter your name.",
  "profile.username.required": "Please enter a username.",
  "profile.username.invalid": "A username has 3 to 20 letters, digits, dots or underscores.",
  "profile.username.hint": "3 to 20 small letters, digits, _ or .",
  "profile.email.required": "Please enter your email.",
  "profile.email.invalid": "Please enter a valid email.",
  "profile.dob.hint": "You must be 18 or older.",
  "profile.dob.required": "Please enter your date of birth.",
  "profile.dob.young": "You must be 18 or older to use PlayOn.",
  "profile.gender.required": "Please enter your gender.",
  "profile.gender.allowed": "Allowed gender entries: MALE,FEMALE,OTHER",
  "profile.gender.MALE": "Male",
  "profile.gender.FEMALE": "Female",
  "profile.gender.OTHER": "Other",
  "profile.gender.choose": "Choose one",
  "profile.contact.hint": "For contact only. It does not change how you sign in.",
  "profile.delete": "Delete my account",
  "profile.delete.warning":
    "When you delete your account, your wallet and your personal details will be permanently lost.",
  "profile.delete.atOnce": "You will be signed out everywhere, and other players will no longer see you.",
  "profile.delete.later": "After 30 days your personal details are erased, unless you sign in again.",
  "profile.delete.word": "Type {word} to confirm",
  "profile.delete.wordMissing": "Please type the word {word} in capital letters.",
  "profile.delete.confirm": "Delete my account",
  "profile.delete.keep": "Keep my account",
  "profile.delete.balance":
    "{amount} is still in your wallet. Withdraw it first: later only a new account with the same sign-in phone gets it back, within 60 days.",
  "profile.delete.toWallet": "Go to my wallet",
  "profile.delete.balanceUnknown":
    "We could not check your wallet just now. Withdraw any money in it before you delete your account.",
  "profile.deleted": "Your account is closed. Sign in within 30 days if you change your mind.",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    profile: typeof texts;
  }
}

export const texts = {
  "support.title": "Contact us",
  "support.headline": "Drop us a line",
  "support.line": "A question, a problem or an idea? Write to us. We answer by email.",
  "support.form": "Feedback",
  "support.email": "Email",
  "support.subject": "Subject",
  "support.message": "Message",
  "support.send": "Send",
  "support.emailMissing": "Please enter your email",
  "support.emailInvalid": "Please enter a valid email.",
  "support.subjectMissing": "Please enter a subject.",
  "support.messageMissing": "Please enter a message.",
  "support.confirm": "We value your feedback",
  "support.confirmLine": "We will send your message to our team, with your address to answer to: {email}.",
  "support.submit": "Submit",
  "support.edit": "Keep writing",
  "support.sent": "Thank you! We have your message.",
  "support.contacts": "Other ways to reach us",
  "support.Email": "Email",
  "support.Phone": "Phone",
  "support.Whatsapp": "WhatsApp",
  "support.Instagram": "Instagram",
  "support.Twitter": "X (Twitter)",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    support: typeof texts;
  }
}

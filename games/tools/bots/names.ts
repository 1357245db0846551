import { below, oneOf } from "./chance";
import type { Chance } from "./types";

/** Given names of East Africa, as people of many communities write them. None refers to a particular person. */
export const GIVEN_NAMES = `
  Achieng Adhiambo Akello Akinyi Aluoch Amina Anyango Apiyo Asha Atieno Awino Awuor Aziza Bahati Barasa Baraka Cherono
  Chebet Chelagat Chelimo Chepkoech Chepkemoi Chepngeno Cheptoo Dalmas Daudi Ekiru Ekai Emali Esinyen Fatuma Furaha
  Gakii Gathoni Githinji Guyo Habiba Halima Hassan Imani Jabali Jelagat Jelimo Jemutai Jepkorir Jeptoo Juma Kadenge
  Kagendo Kamau Karanja Karimi Kariuki Kasyoka Katana Kawira Kazungu Kemunto Kerubo Khadija Khamis Kibet Kiprono Kiprotich
  Kipchumba Kimani Kinya Kioko Kiplagat Kirimi Koech Kwamboka Lekuton Leshan Lokiru Lokol Lulu Maina Makena Malika Mbula
  Mbithi Mawia Meli Mkamburi Moraa Muema Mukami Mulongo Mumbua Munyao Muthoni Mutua Mutiso Mwanaisha Mwende Mwikali
  Nabwire Naisula Naliaka Namunyak Nanjala Nasieku Nashipai Ndanu Nduku Nduta Neema Nekesa Ngina Njambi Njeri Njoki
  Nkatha Nyaboke Nyakio Nyambura Nyanchama Nyokabi Nyawira Ochieng Odhiambo Okello Omondi Onyango Otieno Opiyo Otuoma
  Owino Pendo Rehema Resiato Rotich Saida Saitoti Salma Sanaipei Sankale Sarange Shiru Silantoi Simaloi Syombua Taabu
  Tabitha Talaso Tipape Tumaini Wafula Wairimu Waithera Wambui Wangari Wanjala Wanjiku Wanjiru Wanza Wasike Wekesa Zawadi
  Zuhura`
  .trim()
  .split(/\s+/);

const WORDS = `
  ace asili bingwa bora chapchap dada duma fasta hodari jasiri kasi kaka kali kesho king mbio mkali moto mrembo mshindi
  mtaani mwamba nguvu noma nyota pro queen radi rafiki sana shujaa simba smart songa star swara tamu twiga ujanja upesi
  umoja wave wazi zuri`
  .trim()
  .split(/\s+/);

export const LONGEST = 20;

/** Returns a username as a person could choose it, in PlayOn's form. */
export function username(chance: Chance): string {
  const name = oneOf(GIVEN_NAMES, chance).toLowerCase();
  const word = oneOf(WORDS, chance);
  const number = below(100, chance);
  const forms = [
    `${name}${number}`,
    `${name}_${word}`,
    `${name}.${word}`,
    `${word}_${name}`,
    `${name}${word}${below(10, chance)}`,
    `${name}_${1980 + below(29, chance)}`,
    `${name}.254`,
    `the.${name}${below(10, chance)}`,
  ];
  return oneOf(forms, chance).slice(0, LONGEST);
}

/** Yields usernames that differ from each other. */
export function* usernames(chance: Chance): Generator<string, never> {
  const used = new Set<string>();
  for (;;) {
    let name = username(chance);
    for (; used.has(name); name = username(chance));
    used.add(name);
    yield name;
  }
}

import type { LegalText, LegalTranslation } from "./legal.en";

/** The legal texts in Swahili, with the chapters of the English ones, which are binding. */
export const texts = {};

export const translation: LegalTranslation = {
  note: "Hii ni tafsiri ya kukusaidia kuelewa. Tafsiri hii ikitofautiana na maandishi ya Kiingereza, ya Kiingereza ndiyo yenye nguvu kisheria.",
  toEnglish: "Soma kwa Kiingereza",
  toTranslation: "Soma kwa Kiswahili",
};

export const privacy: LegalText = {
  title: "Sera ya Faragha",
  updated: "Ilisasishwa mwisho tarehe 26 Julai 2019",
  summary:
    "Yale ambayo PlayOn inajua kukuhusu, tunavyoyatumia, nani mwingine anaweza kuyaona, na unachoweza kutuomba tufanye.",
  contents: "Yaliyomo",
  chapters: [
    {
      id: "who-we-are",
      title: "Sisi ni nani",
      passages: [
        "PlayOn inaendeshwa na kampuni ya michezo ya kijamii. Katika sera hii, “sisi” ni kampuni hiyo. Sisi ndio tunaoamua kwa nini na jinsi data yako binafsi inavyotumiwa, kwa hivyo kisheria sisi ni mdhibiti wa data (<en>data controller</en>).",
      ],
    },
    {
      id: "adults",
      title: "Kwa watu wazima pekee",
      passages: [
        "Lazima uwe na miaka 18 au zaidi ili utumie PlayOn. Tunakuuliza tarehe yako ya kuzaliwa, na hatumkubali aliye na umri mdogo. Ukidhani kuna mtoto anayetumia PlayOn, tafadhali tuambie nasi tutaifunga akaunti hiyo.",
      ],
    },
    {
      id: "what-we-collect",
      title: "Data tunayokusanya",
      passages: [
        "Unayotupa wewe mwenyewe:",
        [
          "Wasifu wako: jina, jina la mchezaji, barua pepe, tarehe ya kuzaliwa, jinsia, nambari ya simu, picha, nchi na sarafu unayopendelea.",
          "Jinsi unavyoingia: barua pepe yako na nenosiri, nambari yako ya simu, au akaunti yako ya Google au Facebook. Google na Facebook hutupa jina lako, barua pepe yako na kitambulisho cha akaunti, lakini kamwe hazitupi nenosiri lako.",
          "Unachoandika: ujumbe na faili zako kwenye vyumba vya gumzo, na unachoituma timu yetu ya huduma kwa wateja.",
          "Msimbo wa mwaliko wa rafiki, ukiuweka.",
        ],
        "Tunayokusanya unapotumia PlayOn:",
        [
          "Michezo unayocheza, alama zako, mashindano yako na zawadi zako.",
          "Kila muamala wa pochi yako: kiasi, wakati, risiti, na nambari ya simu iliyolipa au kulipwa. Hatuoni kamwe M-Pesa PIN yako wala nambari kamili ya kadi yako.",
          "Data ya kiufundi: anwani ya IP ya kifaa chako, wakati programu ilipowasiliana nasi na kama ilishindwa, kasi ya kurasa kupakia, na anwani ya kivinjari chako ya kupokea arifa za papo hapo ukiziruhusu.",
        ],
      ],
    },
    {
      id: "why",
      title: "Kwa nini tunaitumia",
      passages: [
        [
          "Kukupa ulichojisajili kupata: akaunti yako, michezo, mashindano, vyumba vya gumzo na pochi yako.",
          "Kutimiza wajibu wetu wa kisheria, kama vile kuweka rekodi za malipo na kuruhusu watu wazima pekee kucheza.",
          "Kuhakikisha kuwa PlayOn ni ya haki na salama: kuzuia udukuzi, udanganyifu na ulaghai, na kutafuta hitilafu na kuzirekebisha.",
          "Kwa idhini yako, kukutumia arifa za papo hapo. Unaweza kuondoa idhini yako wakati wowote kwenye mipangilio ya simu yako.",
          "Kugharimia PlayOn kwa matangazo ya biashara, kama tunavyoeleza hapa chini.",
        ],
        "Alama zinazotiliwa shaka zinaweza kuwekwa chini ya ukaguzi na mfumo wenyewe. Unaweza kuomba zikaguliwe na mtu.",
      ],
    },
    {
      id: "who-sees-it",
      title: "Nani mwingine anaiona",
      passages: [
        [
          "Wachezaji wengine huona jina lako la mchezaji, picha yako, alama na zawadi zako, na unachoandika kwenye chumba cha gumzo. Hawaoni barua pepe yako, nambari yako ya simu, tarehe yako ya kuzaliwa wala pochi yako.",
          "Watoa huduma za malipo, kama M-Pesa na kampuni za kadi, hupata wanachohitaji ili kuhamisha pesa zako.",
          "Kampuni zinazofikisha SMS, barua pepe na arifa zetu hupata nambari au anwani yako, na ujumbe wenyewe.",
          "Mahakama na mamlaka za serikali, sheria inapotaka.",
        ],
        "Ikiwa yeyote kati yao anashughulikia data yako nje ya Kenya, tunahakikisha kuwa inalindwa jinsi sheria inavyotaka.",
      ],
    },
    {
      id: "advertisers",
      title: "Watangazaji wa biashara",
      passages: [
        "Data inaweza kushirikiwa na watangazaji wa biashara, ili matangazo unayoyaona yakufae. Unaweza kupinga wakati wowote: mwandikie anayesimamia ulinzi wa data kwetu, nasi tutaacha kushiriki data yako.",
      ],
    },
    {
      id: "on-your-phone",
      title: "Kinachohifadhiwa kwenye simu yako",
      passages: [
        "Kwenye kivinjari chako PlayOn huhifadhi taarifa za kuingia kwako, wasifu wako, programu yenyewe ili ifunguke hata bila mtandao, na msimbo wa mwaliko ikiwa ulikuja kupitia kiungo cha rafiki. Ukitoka kwenye akaunti, taarifa za kuingia kwako, wasifu wako na msimbo wa mwaliko huondolewa. Tunaweka vidakuzi (<en>cookies</en>) vitatu, ambavyo tovuti nyingine haiwezi kuvisoma: kimoja hukuweka ndani ya akaunti hadi ufunge kivinjari au, ukichagua, kwa siku 30; kimoja hutambua kivinjari hiki kuwa kifaa chako, kwa siku 400, ili watu wengine wasimalize mipaka yako, na ili zawadi za pesa ziende kwa watu tofauti; na kimoja, kwa dakika kumi zisizozidi, unapoingia kwa Google au Facebook.",
      ],
    },
    {
      id: "how-long",
      title: "Tunaitunza kwa muda gani",
      passages: [
        "Tunatunza data yako kwa muda wote ulio na akaunti. Ukifuta akaunti yako, wachezaji wengine wataacha kukuona mara moja, na habari zako binafsi pamoja na ujumbe wako kwenye vyumba vya gumzo zitafutwa baada ya siku 30, isipokuwa ukiingia tena kabla ya hapo. Ujumbe ulioripotiwa kwetu, au tuliouficha, hubaki kwa hadi mwaka mmoja, kama ushahidi.",
        "Rekodi zetu za malipo hubaki, bila jina lako, kwa sababu sheria inatutaka tuzitunze.",
      ],
    },
    {
      id: "how-protected",
      title: "Tunavyoilinda",
      passages: [
        "Kila kinachotumwa kati ya simu yako na sisi husimbwa ili mtu mwingine asikisome. Manenosiri na misimbo huhifadhiwa kwa njia fiche (<en>hash</en>), ambayo haiwezi kusomeka tena. Ni wafanyakazi wanaohitaji data yako kwa kazi yao pekee wanaoweza kuifikia. Ikiwa data yako itapotea au kuibwa kwa namna inayoweza kukudhuru, tutakujulisha wewe na Kamishna wa Data.",
      ],
    },
    {
      id: "your-rights",
      title: "Haki zako",
      passages: [
        "Sheria za Kenya zinakupa haki ya:",
        [
          "kujulishwa jinsi data yako inavyotumiwa, na hilo ndilo lengo la sera hii;",
          "kupata data tulio nayo kukuhusu, na nakala yake ya kwenda nayo kwingine;",
          "kurekebishiwa data isiyo ya kweli au inayopotosha;",
          "kufutiwa data isiyo ya kweli au inayopotosha, au ambayo hatuihitaji tena;",
          "kupinga matumizi ya data yako yote au sehemu yake, hasa kwa matangazo ya biashara;",
          "kutofanyiwa maamuzi muhimu na kompyuta pekee;",
          "kuondoa idhini uliyotoa.",
        ],
        "Haya yote ni bila malipo.",
      ],
    },
    {
      id: "requests",
      title: "Jinsi ya kuomba",
      passages: [
        "Unaweza kurekebisha habari zako na kufuta akaunti yako mwenyewe, kwenye ukurasa wa Wasifu.",
        "Kwa mengine yote, yakiwemo maombi ya kupata data yako au kufutiwa, iandikie timu yetu ya huduma kwa wateja au anayesimamia ulinzi wa data: {contact}. Kabla ya kukujibu, tunaweza kukuomba uthibitishe kuwa akaunti ni yako.",
        "Usiporidhika na jibu letu, unaweza kulalamika kwa Ofisi ya Kamishna wa Ulinzi wa Data ya Kenya (<en>Office of the Data Protection Commissioner</en>).",
      ],
    },
    {
      id: "changes",
      title: "Mabadiliko",
      passages: [
        "Tukibadilisha sera hii, tunabadilisha tarehe iliyo juu. Badiliko likikuhusu, tutakujulisha ndani ya programu kabla halijaanza kutumika.",
      ],
    },
  ],
};

export const terms: LegalText = {
  title: "Masharti ya Huduma",
  summary:
    "Makubaliano kati yako na kampuni ya michezo ya kijamii inayoendesha PlayOn. Kwa kutumia PlayOn unakubali masharti haya.",
  contents: "Yaliyomo",
  chapters: [
    {
      id: "who-may-play",
      title: "Nani anaweza kucheza",
      passages: [
        "Lazima uwe na miaka 18 au zaidi. PlayOn imetengenezewa wachezaji walio Kenya. Ukiitumia kwingine, ni jukumu lako kufuata sheria za huko.",
      ],
    },
    {
      id: "your-account",
      title: "Akaunti yako",
      passages: [
        [
          "Kila mtu anaruhusiwa akaunti moja, yenye habari zake za kweli.",
          "Kamwe usimpe mtu yeyote nenosiri lako wala OTP. Sisi hatutakuomba kamwe, wala hatutakuomba M-Pesa PIN yako.",
          "Unawajibika kwa yanayofanyika kwenye akaunti yako. Ukidhani mtu mwingine anaitumia, toka kwenye vifaa vyote kupitia ukurasa wa Akaunti, badilisha nenosiri lako, kisha wasiliana nasi.",
          "Jina la mchezaji halipaswi kumtukana, kumpotosha wala kumwiga mtu yeyote.",
        ],
      ],
    },
    {
      id: "fair-play",
      title: "Kucheza kwa haki",
      passages: [
        "PlayOn ina michezo ya ustadi. Tunaondoa alama zilizopatikana kwa roboti, kwa akaunti kadhaa za mchezaji mmoja, kwa michezo iliyobadilishwa au kwa wachezaji kupanga matokeo, na hatutoi zawadi zilizoshindwa kwa njia hizo. Alama zako zikiwa chini ya ukaguzi, utaona hivyo.",
      ],
    },
    {
      id: "tournaments",
      title: "Mashindano na zawadi",
      passages: [
        "Shindano huhesabu alama za juu zaidi za kila mchezaji kati ya kuanza na kuisha kwake. Alama zikilingana, aliyezipata kwanza huwekwa juu. Zawadi hutegemea nafasi yako na kifurushi ulicho nacho mchezo wako bora unapoanza, kama inavyoonyeshwa kwenye jedwali lake la alama. Zawadi za pesa huwekwa kwenye pochi yako baada ya matokeo kukaguliwa.",
      ],
    },
    {
      id: "wallet",
      title: "Pochi yako",
      passages: [
        [
          "Pesa zote ni shilingi za Kenya. Kuchagua sarafu nyingine unayopendelea hakubadilishi kiasi chochote.",
          "Pesa unazoweka hufika kwenye pochi yako mtoa huduma za malipo anapothibitisha. Unalipishwa mara moja tu, hata ukigusa Lipa mara kadhaa.",
          "Unaona viwango na ada kabla ya kuthibitisha. Unapotoa pesa, pesa hizo pamoja na ada yake huzuiliwa hadi mtoa huduma athibitishe matokeo. Ikishindikana, pesa hurudi kwenye pochi yako.",
          "Ukimpa rafiki pesa, zinaingia kwenye pochi yake na haziwezi kurudishwa.",
          "Pochi yako si akaunti ya benki na haipati riba.",
        ],
        "Muamala ukionekana kuwa na kasoro, wasiliana na timu yetu ya huduma kwa wateja ukiwa na risiti iliyo kwenye pochi yako.",
      ],
    },
    {
      id: "subscriptions",
      title: "Usajili",
      passages: [
        "Kifurushi hudumu saa 24 tangu malipo yake yakubaliwe, na hakijirudii chenyewe. Ukikinunua tena kabla hakijaisha, saa 24 zinaongezwa. Unaweza kutumia muda wa maongezi (<en>airtime</en>) kwa kifurushi cha Bronze pekee.",
      ],
    },
    {
      id: "chat",
      title: "Vyumba vya gumzo",
      passages: [
        "Heshimu wengine. Usitume chochote kilicho kinyume cha sheria, cha kutisha, cha matusi au cha udanganyifu, au kilicho mali ya mtu mwingine. Tunaweza kuondoa ujumbe, na pia washiriki wanaovunja kanuni hii. Unachotuma kinabaki kuwa chako, na unaturuhusu kuwaonyesha washiriki wa chumba hicho.",
      ],
    },
    {
      id: "ours",
      title: "Mali yetu",
      passages: [
        "Michezo, michoro, maandishi na jina PlayOn ni mali yetu, au ya waliotupa leseni ya kuvitumia. Unaweza kuvitumia kucheza. Kwa matumizi mengine yoyote unahitaji idhini yetu.",
      ],
    },
    {
      id: "linking",
      title: "Kuweka kiungo cha kuja kwetu",
      passages: [
        "Uko huru kushiriki kiungo chako cha mwaliko. Shirika linalotaka kuweka kiungo cha kuja PlayOn lazima kwanza liombe timu yetu ya huduma kwa wateja, na lieleze shirika hilo ni lipi, kiungo kitawekwa kwenye kurasa zake zipi, na kitaelekeza wapi. Idhini huchukua wiki 2 hadi 3. Kiungo hakipaswi kupotosha wala kuonyesha kana kwamba tunaunga mkono ukurasa kilipowekwa.",
      ],
    },
    {
      id: "advertising",
      title: "Matangazo na data yako",
      passages: [
        "PlayOn inaweza kuonyesha matangazo ya biashara, na data inaweza kushirikiwa na watangazaji wa biashara. Sera yetu ya Faragha inaeleza maana ya hilo, jinsi ya kupinga, na jinsi ya kuomba kupata data yako au kufutiwa.",
      ],
    },
    {
      id: "ending",
      title: "Kufunga akaunti yako",
      passages: [
        "Unaweza kufuta akaunti yako wakati wowote kwenye ukurasa wa Wasifu. Ukifanya hivyo, pochi na habari zako binafsi zitapotea kabisa, kwa hivyo toa pesa zako kwanza. Ukibadilisha nia, ingia tena ndani ya siku 30.",
        "Tunaweza kusimamisha au kufunga akaunti inayovunja masharti haya au sheria. Tutaeleza sababu, isipokuwa sheria ikikataza, na unaweza kuomba timu yetu ya huduma kwa wateja ikague uamuzi huo upya.",
      ],
    },
    {
      id: "liability",
      title: "Dhima yetu",
      passages: [
        "Tunajitahidi kadiri tuwezavyo PlayOn ifanye kazi ipasavyo, lakini hatuwezi kuahidi kuwa itakuwa hivyo kila wakati: mitandao, simu na watoa huduma za malipo huweza kukwama. Hatuwajibiki kwa hasara ambayo hatukuisababisha au ambayo hatungeweza kuitarajia. Hakuna lolote katika masharti haya linaloondoa haki zako za mtumiaji chini ya sheria za Kenya.",
      ],
    },
    {
      id: "changes",
      title: "Mabadiliko ya masharti haya",
      passages: [
        "Tunaweza kubadilisha masharti haya, na tukifanya hivyo tutakujulisha ndani ya programu. Ukiendelea kucheza baada ya badiliko kuanza kutumika, umelikubali. Usipolikubali, unaweza kufuta akaunti yako.",
      ],
    },
    {
      id: "law",
      title: "Sheria na mawasiliano",
      passages: [
        "Masharti haya yanaongozwa na sheria za Kenya. Ukiwa na malalamiko, tafadhali zungumza nasi kwanza: andika kwa {contact}.",
      ],
    },
  ],
};

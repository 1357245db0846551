//! PlayOn's typeface in documents: Outfit, reduced to Latin letters, including those of Kikuyu and
//! Kikamba. fonts/README.md says how the files were made.

#![expect(clippy::float_arithmetic, reason = "places on paper; money stays in cents")]

use std::sync::LazyLock;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::{
    Filter, Finish as _, Name, Pdf, Rect, Ref, Str,
    types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap},
};
use ttf_parser::Face;

const SYSTEM: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

static REGULAR: LazyLock<Option<Font>> = LazyLock::new(|| {
    Font::parse(include_bytes!("../../fonts/outfit-regular.ttf"), b"Outfit-Regular")
});
static SEMIBOLD: LazyLock<Option<Font>> = LazyLock::new(|| {
    Font::parse(include_bytes!("../../fonts/outfit-semibold.ttf"), b"Outfit-SemiBold")
});

/// A typeface that is embedded whole.
pub(super) struct Font {
    name: &'static [u8],
    face: Face<'static>,
    data: &'static [u8],
}

/// The regular and the semibold weight; `None` if the build has broken files.
pub(super) fn fonts() -> Option<[&'static Font; 2]> {
    Some([REGULAR.as_ref()?, SEMIBOLD.as_ref()?])
}

impl Font {
    fn parse(data: &'static [u8], name: &'static [u8]) -> Option<Self> {
        let face = Face::parse(data, 0).ok()?;
        Some(Self { name, face, data })
    }

    /// Returns the glyphs of a text. A character that the font does not have becomes a question
    /// mark; control characters are left out.
    fn glyphs(&self, text: &str) -> impl Iterator<Item = u16> {
        text.chars().filter(|c| !c.is_control()).filter_map(|c| {
            let glyph = self.face.glyph_index(c).or_else(|| self.face.glyph_index('?'));
            glyph.map(|glyph| glyph.0)
        })
    }

    /// Encodes a text for the content of a page.
    pub(super) fn encode(&self, text: &str) -> Vec<u8> {
        self.glyphs(text).flat_map(u16::to_be_bytes).collect()
    }

    /// The width of a text at size 1.
    pub(super) fn width(&self, text: &str) -> f32 {
        self.glyphs(text).map(|glyph| self.advance(glyph)).sum()
    }

    fn advance(&self, glyph: u16) -> f32 {
        let units = self.face.glyph_hor_advance(ttf_parser::GlyphId(glyph)).unwrap_or_default();
        f32::from(units) / f32::from(self.face.units_per_em())
    }

    /// The text, shortened with an ellipsis until it fits.
    pub(super) fn fit(&self, text: &str, size: f32, width: f32) -> String {
        if self.width(text) * size <= width {
            return text.to_owned();
        }
        let room = width / size - self.width("…");
        let mut used = 0.0;
        let fits = |c: &char| {
            used += self.width(c.encode_utf8(&mut [0; 4]));
            used <= room
        };
        let kept: String = text.chars().take_while(fits).collect();
        format!("{}…", kept.trim_end())
    }

    /// Embeds the font under the id `first`; uses four more ids after it.
    pub(super) fn embed(&self, pdf: &mut Pdf, first: i32) {
        let [font, cid, descriptor, cmap, file] = [0, 1, 2, 3, 4].map(|n| Ref::new(first + n));
        let name = Name(self.name);
        pdf.type0_font(font)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(cmap);
        let mut cid_font = pdf.cid_font(cid);
        cid_font
            .subtype(CidFontType::Type2)
            .base_font(name)
            .system_info(SYSTEM)
            .font_descriptor(descriptor)
            .default_width(0.0)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let widths = (0..self.face.number_of_glyphs()).map(|glyph| self.advance(glyph) * 1000.0);
        cid_font.widths().consecutive(0, widths);
        cid_font.finish();
        let unit = 1000.0 / f32::from(self.face.units_per_em());
        let bounds = self.face.global_bounding_box();
        pdf.font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(
                f32::from(bounds.x_min) * unit,
                f32::from(bounds.y_min) * unit,
                f32::from(bounds.x_max) * unit,
                f32::from(bounds.y_max) * unit,
            ))
            .italic_angle(0.0)
            .ascent(f32::from(self.face.ascender()) * unit)
            .descent(f32::from(self.face.descender()) * unit)
            .cap_height(f32::from(self.face.capital_height().unwrap_or(700)) * unit)
            .stem_v(80.0)
            .font_file2(file);
        let compressed = compress_to_vec_zlib(self.data, 9);
        let mut stream = pdf.stream(file, &compressed);
        stream.filter(Filter::FlateDecode);
        stream.pair(Name(b"Length1"), i32::try_from(self.data.len()).unwrap_or(i32::MAX));
        stream.finish();
        self.embed_cmap(pdf, cmap);
    }

    /// Embeds the map from glyphs to characters, so that a reader can search, copy and read the
    /// text aloud.
    fn embed_cmap(&self, pdf: &mut Pdf, id: Ref) {
        let mut map = UnicodeCmap::<u16>::new(Name(b"Outfit-Unicode"), SYSTEM);
        for c in (' '..='\u{1eff}').chain('\u{2010}'..='\u{2212}') {
            if let Some(glyph) = self.face.glyph_index(c) {
                map.pair(glyph.0, c);
            }
        }
        let compressed = compress_to_vec_zlib(&map.finish(), 9);
        pdf.cmap(id, &compressed).filter(Filter::FlateDecode);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_the_letters_of_kenyan_names() {
        for font in fonts().unwrap() {
            for c in "ABCXYZabcxyzŨũĨĩŊŋÀáéñ0123456789+−-.,·…’@#&()".chars() {
                assert!(font.face.glyph_index(c).is_some(), "{c}");
            }
        }
    }

    #[test]
    fn figures_have_one_width() {
        let [regular, _] = fonts().unwrap();
        assert!((regular.width("111") - regular.width("888")).abs() < 0.2);
        assert_eq!(regular.encode("\u{7}"), [0; 0]);
        assert_eq!(regular.encode("漢"), regular.encode("?"));
    }

    #[test]
    fn a_text_that_is_too_long_is_cut() {
        let [regular, _] = fonts().unwrap();
        assert_eq!(regular.fit("Boost", 10.0, 100.0), "Boost");
        let cut = regular.fit(&"Boost from ".repeat(20), 10.0, 100.0);
        assert!(cut.ends_with('…') && regular.width(&cut) * 10.0 <= 100.0, "{cut}");
    }
}

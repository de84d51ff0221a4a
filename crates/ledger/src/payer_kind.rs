//! Kinds of payers, by how far their payments are from their forward rate.

use rust_decimal::Decimal;

use crate::Frequency;

/// What decides how far a payer's income can be from its forward rate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PayerKind {
    DeclaredCompany,
    DeclaredFund,
    VaryingCompany,
    VaryingFund,
    SemiAnnualCompany,
    AnnualCompany,
}

impl PayerKind {
    pub const ALL: [PayerKind; 6] = [
        PayerKind::DeclaredCompany,
        PayerKind::DeclaredFund,
        PayerKind::VaryingCompany,
        PayerKind::VaryingFund,
        PayerKind::SemiAnnualCompany,
        PayerKind::AnnualCompany,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            PayerKind::DeclaredCompany => "declared_company",
            PayerKind::DeclaredFund => "declared_fund",
            PayerKind::VaryingCompany => "varying_company",
            PayerKind::VaryingFund => "varying_fund",
            PayerKind::SemiAnnualCompany => "semi_annual_company",
            PayerKind::AnnualCompany => "annual_company",
        }
    }

    pub fn is_fund(self) -> bool {
        matches!(self, PayerKind::DeclaredFund | PayerKind::VaryingFund)
    }

    /// `declared` says whether its amount holds for several payments.
    pub(crate) fn new(frequency: Option<Frequency>, fund: bool, declared: bool) -> PayerKind {
        match (frequency, fund, declared) {
            (_, true, true) => PayerKind::DeclaredFund,
            (_, true, false) => PayerKind::VaryingFund,
            (Some(Frequency::Annual), ..) => PayerKind::AnnualCompany,
            (Some(Frequency::SemiAnnual), ..) => PayerKind::SemiAnnualCompany,
            (_, false, true) => PayerKind::DeclaredCompany,
            (_, false, false) => PayerKind::VaryingCompany,
        }
    }

    /// Of the outcome ÷ the forward rate: how far the low end is below the mean, the mean, and how far the high end is above it.
    pub(crate) fn spread(self) -> [Decimal; 3] {
        let hundredths = match self {
            PayerKind::DeclaredCompany => [14, 105, 19],
            PayerKind::DeclaredFund => [16, 102, 27],
            PayerKind::VaryingCompany => [47, 107, 41],
            PayerKind::VaryingFund => [43, 103, 42],
            PayerKind::SemiAnnualCompany => [30, 105, 25],
            PayerKind::AnnualCompany => [62, 99, 45],
        };
        hundredths.map(|hundredths| Decimal::new(hundredths, 2))
    }
}
